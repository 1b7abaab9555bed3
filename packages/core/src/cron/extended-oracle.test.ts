import { describe, expect, it } from 'vitest'
import { backwards, forwards } from '../../test/matches-of.js'
import { naiveCron } from '../../test/naive-cron.js'
import { naiveNext, naivePrevious } from '../../test/naive-walk.js'
import { naiveZone, naiveZoneNames } from '../../test/naive-zone.js'
import { Random } from '../../test/random.js'
import { randomExtended } from '../../test/random-expressions.js'
import { formatDay, formatInstant } from '../calendar/instant.js'
import { zone } from '../zone/index.js'
import { parseCron } from './parse.js'

const msPerDay = 86_400_000
/** 28 years hold each of the fourteen calendars that a year can have. */
const firstDay = Date.UTC(2000, 0, 1) / msPerDay
const lastDay = Date.UTC(2027, 11, 31) / msPerDay

const weekdays = [0, 1, 2, 3, 4, 5, 6, 7, 'SUN', 'wed', 'Sat']
const expressions = [
  ...['L', 'LW', '1W', '2W', '15W', '16w', '28W', '29W', '30W', '31W', 'l,lw,1w', '5,L'].map(
    (day) => `0 0 ${day} * ?`,
  ),
  ...weekdays.flatMap((name) => [`0 0 ? * ${name}L`, `0 0 ? * ${name}#1`, `0 0 ? * ${name}#5`]),
  ...[2, 3, 4].map((nth) => `0 0 ? * 5#${nth}`),
  '0 0 ? * MON#1,WED#3,FRIL',
  '0 0 ? * MON#1,WED',
  '0 0 L * 5L',
  '0 0 1W * 1#1',
  '0 0 29W 2 ?',
  '0 0 L 2 ?',
  '0 0 LW */3 ?',
  '0 0 ? 2 1#5',
  '0 0 13 * 5',
]

describe('the days of the extended dialect', () => {
  it.each(expressions)('%s falls on the days that a plain search finds', (expression) => {
    const cron = parseCron(expression, 'extended')
    const naive = naiveCron(expression)
    const expected: string[] = []
    for (let day = firstDay; day <= lastDay; day++) {
      if (naive.matchesDay(day)) expected.push(formatDay(day))
    }
    for (const search of [forwards, backwards]) {
      const found = search(cron, 'UTC', firstDay * msPerDay, (lastDay + 1) * msPerDay)
      expect(found.map((at) => formatDay(at / msPerDay))).toEqual(expected)
    }
  })
})

describe('a random extended expression, zone and instant', () => {
  const cases = process.env['KRON_LONG'] === '1' ? 20_000 : 1000
  const shown = (instant: number | null) => (instant === null ? null : formatInstant(instant))

  it(`agrees with trying every second or minute, ${cases} times`, () => {
    const random = new Random(2026)
    const zones = naiveZoneNames().map(naiveZone)
    for (let count = 0; count < cases; count++) {
      const expression = randomExtended(random)
      const at = random.pick(zones)
      const nearby = random.pick(at.changes.filter((second) => second > 0).concat(0))
      const instant = random.chance(0.5)
        ? random.between(0, Date.UTC(2037, 0, 1))
        : nearby * 1000 + random.between(-90_000_000, 90_000_000)
      const cron = parseCron(expression, 'extended')
      const naive = naiveCron(expression)
      const got = {
        next: shown(cron.next(instant, zone(at.name))),
        previous: shown(cron.previous(instant, zone(at.name))),
      }
      const years = 45
      expect({ expression, zone: at.name, instant, ...got }).toEqual({
        expression,
        zone: at.name,
        instant,
        next: shown(naiveNext(naive, at, instant, years)),
        previous: shown(naivePrevious(naive, at, instant, years)),
      })
    }
  }, 3_600_000)
})

describe('the extended dialect, by hand', () => {
  const after = Date.UTC(2026, 0, 1) - 1
  it.each([
    ['0 12 LW * ?', ['2026-01-30', '2026-02-27', '2026-03-31', '2026-04-30', '2026-05-29']],
    ['0 12 L * ?', ['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31']],
    ['0 12 1W * ?', ['2026-01-01', '2026-02-02', '2026-03-02', '2026-04-01', '2026-05-01']],
    ['0 12 1W 8 ?', ['2026-08-03', '2027-08-02', '2028-08-01', '2029-08-01', '2030-08-01']],
    ['0 12 31W * ?', ['2026-01-30', '2026-03-31', '2026-05-29', '2026-07-31', '2026-08-31']],
    ['0 12 ? * MON#5', ['2026-03-30', '2026-06-29', '2026-08-31', '2026-11-30', '2027-03-29']],
    ['0 12 ? * 5L', ['2026-01-30', '2026-02-27', '2026-03-27', '2026-04-24', '2026-05-29']],
    ['0 12 ? * 7#1', ['2026-01-04', '2026-02-01', '2026-03-01', '2026-04-05', '2026-05-03']],
    ['0 12 L * MON#1', ['2026-01-05', '2026-01-31', '2026-02-02', '2026-02-28', '2026-03-02']],
  ])('%s', (expression, days) => {
    const cron = parseCron(expression, 'extended')
    const found: string[] = []
    for (let at = cron.next(after)!; found.length < days.length; at = cron.next(at)!) {
      found.push(formatInstant(at))
    }
    expect(found).toEqual(days.map((day) => `${day}T12:00:00Z`))
  })

  it('reads six fields as beginning with seconds', () => {
    const cron = parseCron('10-50/20 59 23 31 12 ?', 'extended')
    expect(cron.hasSeconds).toBe(true)
    const at = Date.UTC(2026, 11, 31, 23, 59, 30)
    expect(cron.next(at - 1)).toBe(at)
    expect(cron.next(at)).toBe(at + 20_000)
    expect(cron.next(at + 20_000)).toBe(Date.UTC(2027, 11, 31, 23, 59, 10))
    expect(cron.previous(at - 1)).toBe(at - 20_000)
    expect(cron.matches(at)).toBe(true)
    expect(cron.matches(at + 999)).toBe(true)
    expect(cron.matches(at + 1000)).toBe(false)
  })
})
