import { describe, expect, it } from 'vitest'
import { failure } from '../../test/failure.js'
import { formatInstant } from '../calendar/instant.js'
import { parseSchedule } from '../schedule/index.js'
import { compileJob, type Job } from './job.js'

const job = (text: string): Job =>
  compileJob({ identity: 'x', ...parseSchedule(text, { dialect: 'extended' }) })

function next(text: string, after: string): string | null {
  const found = job(text).nextSchedulable(Date.parse(after))
  return found === null ? null : formatInstant(found)
}

const tuesday = '2026-11-17T08:30:00Z'

/** One minute, as a clause has it. */
function minute(hour: number, minuteOfHour: number): string {
  const clock = `${String(hour).padStart(2, '0')}:${String(minuteOfHour).padStart(2, '0')}`
  return `${clock}-${clock}`
}

/** Some minutes of every hour, in clauses that are not too long. */
function everyHour(minutes: readonly number[]): string {
  const hours = Array.from({ length: 24 }, (_, hour) => hour)
  return hours
    .map((hour) => `between=${minutes.map((each) => minute(hour, each)).join(',')}`)
    .join(';')
}

describe('the next period that can run', () => {
  it.each([
    ['* * * * * @only(hours=9-17;dow=MON-FRI)', '2026-11-13T17:59:00Z', '2026-11-16T09:00:00Z'],
    ['* * * * * @only(dow=MON)', tuesday, '2026-11-23T00:00:00Z'],
    ['*/5 * * * * @only(dom=1)', tuesday, '2026-12-01T00:00:00Z'],
    ['* * * * * * @only(hours=3)', tuesday, '2026-11-18T03:00:00Z'],
    ['0 * * * * @only(months=6)', tuesday, '2027-06-01T00:00:00Z'],
    ['* * * * * * @only(months=6)', tuesday, '2027-06-01T00:00:00Z'],
    ['* * * * * @avoid(dates=2026-11-17..2026-11-21)', tuesday, '2026-11-22T00:00:00Z'],
    ['* * * * * @avoid(dates=2026-01-01..2099-12-31)', tuesday, '2100-01-01T00:00:00Z'],
    ['* * * * * @only(date=2400-02-29) @tz(Europe/Paris)', tuesday, '2400-02-28T23:00:00Z'],
    ['0 0 13 * * @only(dow=FRI)', tuesday, '2027-08-13T00:00:00Z'],
    ['0 0 29 2 * @only(dow=MON)', tuesday, '2044-02-29T00:00:00Z'],
    ['0 0 * * MON @only(dom=29;months=2)', tuesday, '2044-02-29T00:00:00Z'],
  ])('of %s after %s is %s', (text, after, expected) => {
    expect(next(text, after)).toBe(expected)
  })

  it('goes over every weekend of a year', () => {
    const office = job('* * * * * @only(hours=9-17;dow=MON-FRI) @tz(America/New_York)')
    let at = Date.parse('2026-01-01T00:00:00Z')
    const starts: number[] = []
    while (starts.length < 261) {
      at = office.nextSchedulable(at)!
      starts.push(at)
      at = office.cron.previous(at + 9 * 3_600_000 - 1, office.zone)!
    }
    const local = starts.map((start) => new Date(start + office.zone.offsetAt(start / 1000) * 1000))
    for (const start of local) {
      expect([start.getUTCHours(), start.getUTCMinutes()]).toEqual([9, 0])
      expect(start.getUTCDay() % 6).not.toBe(0)
    }
    expect(local.at(-1)!.toISOString().slice(0, 10)).toBe('2026-12-31')
  })

  it('is one whose window reaches into what is allowed', () => {
    const text = '30 8 * * * @win(after,1h) @dist(uniform,sample=exact) @only(hours=9;dow=WED)'
    expect(next(text, tuesday)).toBe('2026-11-18T08:30:00Z')
    const around = '30 9 * * * @win(around,1h) @dist(uniform,sample=exact) @only(hours=10;dow=WED)'
    expect(next(around, tuesday)).toBe('2026-11-18T09:30:00Z')
  })

  it('is not one of which every draw was rejected', () => {
    const picky = job('0 12 * * * @win(after,12h) @only(between=20:00-20:01)')
    let periods = 0
    let runs = 0
    for (let at = Date.parse(tuesday), run = at; periods < 1000; periods++) {
      at = picky.nextPeriod(at)!
      if (picky.decide(at).unschedulable) continue
      run = picky.nextSchedulable(run)!
      expect(run).toBe(at)
      runs++
    }
    expect(runs).toBeGreaterThan(50)
    expect(runs).toBeLessThan(950)
  })

  it('is the next period where nothing is constrained', () => {
    expect(next('0 3 * * * @win(after,2h)', tuesday)).toBe('2026-11-18T03:00:00Z')
  })

  it('is given up where every draw is all but hopeless', () => {
    const draws = '@win(after,12h) @dist(normal,mu=end,sigma=1s)'
    expect(next(`0 12 * * * ${draws} @only(between=12:00-12:01)`, tuesday)).toBeNull()
    expect(next(`0 12 * * * ${draws} @only(hours=23)`, tuesday)).toBe('2026-11-17T12:00:00Z')
  })

  it.each([Number.NaN, 0.5, 8.64e15 + 1])('is not looked for after %s', (after) => {
    const office = job('* * * * * @only(hours=9-17)')
    expect(failure(() => office.nextSchedulable(after))).toMatchObject({
      details: { field: 'after' },
    })
  })

  it('does not come once all dates have passed, and the job is none the worse', () => {
    expect(next('* * * * * @only(dates=2020-01-01..2020-12-31)', tuesday)).toBeNull()
    expect(next('* * * * * @only(date=2026-11-17)', '2026-11-17T23:59:00Z')).toBeNull()
    expect(next('* * * * * @only(date=2026-11-17)', '2026-11-17T23:58:00Z')).not.toBeNull()
  })
})

describe('where the clock changes', () => {
  it('allowed times that come again are found again', () => {
    // 01:45 before the clock of New York goes back: 01:10 is to come once more.
    const text = '* * * * * @only(between=01:10-01:20;dow=SUN) @tz(America/New_York)'
    expect(next(text, '2026-11-01T05:45:00Z')).toBe('2026-11-01T06:10:00Z')
    expect(next(text, '2026-11-01T06:20:00Z')).toBe('2026-11-08T06:10:00Z')
  })

  it('a date that comes again is found again', () => {
    // The clock of Santiago goes back from midnight to 23:00.
    const text = '* * * * * @only(date=2026-04-04) @tz(America/Santiago)'
    expect(next(text, '2026-04-05T02:59:00Z')).toBe('2026-04-05T03:00:00Z')
    expect(next(text, '2026-04-05T03:59:00Z')).toBeNull()
  })

  it('times may meet that never do on other days', () => {
    const exact = '@dist(uniform,sample=exact) @tz(America/New_York)'
    const after = `30 1 * * * @win(after,30m) @only(between=03:00-03:10) ${exact}`
    expect(next(after, tuesday)).toBe('2027-03-14T06:30:00Z')
    const before = `10 3 * * * @win(before,30m) @only(between=01:30-01:59) ${exact}`
    expect(next(before, tuesday)).toBe('2027-03-14T07:10:00Z')
  })

  it('they are found however many others never meet', () => {
    const fives = everyHour([5, 15, 25, 35, 45, 55])
    const text =
      `*/10 0,1,3-23 * * * @win(before,30s) @dist(uniform,sample=exact) ` +
      `@only(between=01:59-01:59;${fives}) @tz(America/New_York)`
    expect(next(text, tuesday)).toBe('2027-03-14T07:00:00Z')
    expect(next(text, '2027-03-14T07:00:00Z')).toBe('2027-11-07T06:00:00Z')
  })

  it('a time that is skipped on the one day is found on the other', () => {
    const odd = everyHour(Array.from({ length: 30 }, (_, index) => 1 + 2 * index))
    const clauses = `date=2026-03-08,2026-03-09;between=02:30-02:30;${odd}`
    const text = `*/2 * * * * @only(${clauses}) @tz(America/New_York)`
    expect(next(text, '2026-03-08T05:00:00Z')).toBe('2026-03-09T06:30:00Z')
  })
})

describe('a schedule that can never run', () => {
  it.each([
    ['0 12 * * * @only(hours=3)'],
    ['0 12 * * * @only(hours=3) @tz(America/New_York)'],
    ['* * * * * @avoid(hours=0-23)'],
    ['* * * * * @only(dom=31;months=2)'],
    ['0 0 1 * * @only(dom=2)'],
    ['0 0 * * MON @win(after,1h) @only(dow=WED)'],
    ['0 0 * * * @only(date=2026-11-17;dow=WED)'],
    ['30 2 * * * @only(date=2026-03-08) @tz(America/New_York)'],
    ['30 1 * * * @win(after,20m) @only(between=03:00-03:10) @tz(America/New_York)'],
  ])('is refused: %s', (text) => {
    const error = failure(() => job(text))
    expect(error).toMatchObject({ name: 'ValidationError', code: 'KRON_SCHEDULE_NEVER' })
    expect(error.message).toMatch(/never runs: no period has a time that its constraints allow/)
    expect(error.details.field).toBe('constraints')
  })

  it('names the clauses', () => {
    expect(failure(() => job('0 12 * * * @only(hours=3) @avoid(dow=SUN)')).message).toBe(
      'schedule "0 12 * * *" never runs: no period has a time that its constraints allow ' +
        '(only hours=3, avoid dow=SUN)',
    )
  })
})
