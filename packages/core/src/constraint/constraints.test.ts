import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { zone } from '../zone/index.js'
import { type Constraints, compileConstraints, type ZoneOffsets } from './index.js'

const seconds = (text: string) => Date.parse(`${text}Z`) / 1000

function compiled(only: string[], avoid: string[] = []): Constraints {
  const constraints = compileConstraints({ only, avoid })
  if (constraints === null) throw new Error('expected constraints')
  return constraints
}

describe('compileConstraints', () => {
  it('answers null when there is nothing to check', () => {
    expect(compileConstraints({ only: [], avoid: [] })).toBeNull()
  })

  it('keeps the canonical clauses', () => {
    const constraints = compiled(['hours=9,8'], ['dow=0'])
    expect(constraints.only).toEqual(['hours=8-9'])
    expect(constraints.avoid).toEqual(['dow=SUN'])
  })

  it('counts the clauses of only and avoid together', () => {
    const half = Array.from({ length: 32 }, () => 'hours=1')
    expect(compileConstraints({ only: half, avoid: half })).not.toBeNull()
    expect(() => compileConstraints({ only: half, avoid: [...half, 'hours=1'] })).toThrow(
      expect.objectContaining({ code: 'KRON_CONSTRAINT_LIMIT' }),
    )
  })
})

describe('allows', () => {
  const table: [only: string[], avoid: string[], time: string, reason: string | null][] = [
    [['hours=10'], [], '2026-02-24T10:00:00', null],
    [['hours=10'], [], '2026-02-24T10:59:59', null],
    [['hours=11'], [], '2026-02-24T10:59:59', 'only hours=11'],
    [['dow=MON'], [], '2026-03-02T12:00:00', null],
    [['dow=MON'], [], '2026-03-01T23:59:59', 'only dow=MON'],
    [['dow=SUN'], [], '2026-03-01T23:59:59', null],
    [['dow=SAT-SUN'], [], '1969-12-28T00:00:00', null],
    [[], ['between=12:00-12:00'], '2026-03-02T12:00:00', 'avoid between=12:00-12:00'],
    [[], ['between=12:00-12:00'], '2026-03-02T12:00:59', 'avoid between=12:00-12:00'],
    [[], ['between=12:00-12:00'], '2026-03-02T12:01:00', null],
    [[], ['between=12:00-12:00'], '2026-03-02T11:59:59', null],
    [[], ['between=22:00-06:00'], '2026-03-02T22:00:00', 'avoid between=22:00-06:00'],
    [[], ['between=22:00-06:00'], '2026-03-02T00:00:00', 'avoid between=22:00-06:00'],
    [[], ['between=22:00-06:00'], '2026-03-02T06:00:59', 'avoid between=22:00-06:00'],
    [[], ['between=22:00-06:00'], '2026-03-02T06:01:00', null],
    [[], ['between=22:00-06:00'], '2026-03-02T21:59:59', null],
    [['dom=1,15'], [], '2026-03-15T00:00:00', null],
    [['dom=31'], [], '2026-03-31T00:00:00', null],
    [['dom=31'], [], '2026-03-30T00:00:00', 'only dom=31'],
    [['months=JAN-MAR'], [], '2026-03-31T23:59:59', null],
    [['months=JAN-MAR'], [], '2026-04-01T00:00:00', 'only months=JAN-MAR'],
    [['date=2026-12-24'], [], '2026-12-24T23:59:59', null],
    [['date=2026-12-24'], [], '2026-12-25T00:00:00', 'only date=2026-12-24'],
    [
      [],
      ['dates=2026-12-24..2027-01-02'],
      '2027-01-02T23:59:59',
      'avoid dates=2026-12-24..2027-01-02',
    ],
    [[], ['dates=2026-12-24..2027-01-02'], '2027-01-03T00:00:00', null],
    [['date=2026-12-24', 'dates=2027-01-01..2027-01-05'], [], '2027-01-03T00:00:00', null],
    [['hours=8', 'hours=10'], [], '2026-03-02T10:00:00', null],
    [['hours=8', 'hours=10'], [], '2026-03-02T09:00:00', 'only hours=8;hours=10'],
    [['hours=8-18', 'dow=MON'], [], '2026-03-03T09:00:00', 'only dow=MON'],
    [['hours=8-18', 'dow=MON'], [], '2026-03-02T07:00:00', 'only hours=8-18'],
    [['hours=8-18', 'between=08:30-09:00'], [], '2026-03-02T08:00:00', 'only between=08:30-09:00'],
    [['hours=8-18'], ['hours=12', 'dow=SUN'], '2026-03-02T12:30:00', 'avoid hours=12'],
    [['hours=8-18'], ['hours=12', 'dow=SUN'], '2026-03-01T13:30:00', 'avoid dow=SUN'],
    [['hours=8-18'], ['hours=12', 'dow=SUN'], '2026-03-02T13:30:00', null],
    [['date=2026-12-24'], ['date=2026-12-24'], '2026-12-24T00:00:00', 'avoid date=2026-12-24'],
  ]
  it.each(table)('only %j avoid %j at %s: %s', (only, avoid, time, reason) => {
    const constraints = compiled(only, avoid)
    expect(constraints.allows(seconds(time))).toBe(reason === null)
    expect(constraints.rejectedBy(seconds(time))).toBe(reason)
  })
})

/** A clause with its meaning told a second time, by the language's own calendar. */
interface Told {
  readonly kind: string
  readonly text: string
  holds(local: Date): boolean
}

const pad = (n: number) => String(n).padStart(2, '0')
const clock = (minute: number) => `${pad(Math.floor(minute / 60))}:${pad(minute % 60)}`
const day = (epochDay: number) => new Date(epochDay * 86_400_000).toISOString().slice(0, 10)

function numberTold(kind: string, min: number, max: number, value: (local: Date) => number) {
  const pairs = fc.array(fc.tuple(fc.integer({ min, max }), fc.integer({ min, max })), {
    minLength: 1,
    maxLength: 3,
  })
  return pairs.map((drawn): Told => {
    const sorted = drawn.map(([a, b]) => (a < b ? ([a, b] as const) : ([b, a] as const)))
    const text = `${kind}=${sorted.map(([a, b]) => (a === b ? a : `${a}-${b}`)).join(',')}`
    return { kind, text, holds: (t) => sorted.some(([a, b]) => value(t) >= a && value(t) <= b) }
  })
}

const betweenTold = fc.tuple(fc.nat(1439), fc.nat(1439)).map(([a, b]): Told => {
  const holds = (t: Date) => {
    const minute = t.getUTCHours() * 60 + t.getUTCMinutes()
    return a <= b ? minute >= a && minute <= b : minute >= a || minute <= b
  }
  return { kind: 'between', text: `between=${clock(a)}-${clock(b)}`, holds }
})

const datesTold = (from: number, to: number) =>
  fc.tuple(fc.integer({ min: from, max: to }), fc.nat(40)).map(([first, more]): Told => {
    const holds = (t: Date) => {
      const today = Math.floor(t.getTime() / 86_400_000)
      return today >= first && today <= first + more
    }
    return { kind: 'date', text: `dates=${day(first)}..${day(first + more)}`, holds }
  })

const told = (from: number, to: number) =>
  fc.oneof(
    numberTold('hours', 0, 23, (t) => t.getUTCHours()),
    numberTold('dow', 0, 6, (t) => t.getUTCDay()),
    numberTold('dom', 1, 31, (t) => t.getUTCDate()),
    numberTold('months', 1, 12, (t) => t.getUTCMonth() + 1),
    betweenTold,
    datesTold(from, to),
  )

function expected(only: readonly Told[], avoid: readonly Told[], local: Date): boolean {
  const kinds = new Set(only.map((clause) => clause.kind))
  const wanted = [...kinds].every((kind) =>
    only.some((clause) => clause.kind === kind && clause.holds(local)),
  )
  return wanted && !avoid.some((clause) => clause.holds(local))
}

const texts = (clauses: readonly Told[]) => clauses.map((clause) => clause.text)

describe('constraints against the language’s own calendar', () => {
  it('allows and explains the same seconds', () => {
    const clauses = fc.array(told(19_000, 23_000), { maxLength: 3 })
    const times = fc.array(fc.integer({ min: 19_000 * 86_400, max: 23_000 * 86_400 }), {
      minLength: 20,
      maxLength: 20,
    })
    const property = fc.property(clauses, clauses, times, (only, avoid, locals) => {
      fc.pre(only.length + avoid.length > 0)
      const constraints = compiled(texts(only), texts(avoid))
      for (const local of locals) {
        const right = expected(only, avoid, new Date(local * 1000))
        expect(constraints.allows(local)).toBe(right)
        expect(constraints.rejectedBy(local) === null).toBe(right)
      }
    })
    fc.assert(property, { numRuns: 1000 })
  })
})

describe('allowedRuns', () => {
  const utc: ZoneOffsets = { offsetAt: () => 0, nextTransition: () => Infinity }
  const runs = (constraints: Constraints, start: string, end: string, at: ZoneOffsets = utc) =>
    [...constraints.allowedRuns(at, seconds(start), seconds(end))].map((second) =>
      new Date(second * 1000).toISOString().slice(0, 19),
    )

  it('gives the allowed stretches inside of the window, both ends included', () => {
    const office = compiled(['hours=8-18', 'dow=MON-FRI'], ['between=12:00-12:29'])
    expect(runs(office, '2026-03-06T10:00:00', '2026-03-09T08:00:00')).toEqual([
      '2026-03-06T10:00:00',
      '2026-03-06T11:59:59',
      '2026-03-06T12:30:00',
      '2026-03-06T18:59:59',
      '2026-03-09T08:00:00',
      '2026-03-09T08:00:00',
    ])
  })

  it('joins stretches that meet at midnight', () => {
    const night = compiled(['between=22:00-06:00'])
    expect(runs(night, '2026-03-06T10:00:00', '2026-03-07T10:00:00')).toEqual([
      '2026-03-06T22:00:00',
      '2026-03-07T06:00:59',
    ])
  })

  it('gives nothing when nothing is allowed, or the window is empty', () => {
    const never = compiled(['date=2020-01-01'])
    expect(runs(never, '2026-03-06T10:00:00', '2026-03-07T10:00:00')).toEqual([])
    expect(runs(never, '2020-01-01T10:00:01', '2020-01-01T10:00:00')).toEqual([])
    expect(runs(never, '2020-01-01T10:00:00', '2020-01-01T10:00:00')).toHaveLength(2)
  })

  it('follows the clock forward, where an hour does not exist', () => {
    const two = compiled(['hours=2'])
    const berlin = zone('Europe/Berlin')
    expect(runs(two, '2026-03-29T00:00:00', '2026-03-29T12:00:00', berlin)).toEqual([])
    expect(
      runs(compiled(['hours=1,3']), '2026-03-29T00:00:00', '2026-03-29T12:00:00', berlin),
    ).toEqual(['2026-03-29T00:00:00', '2026-03-29T01:59:59'])
  })

  it('follows the clock back, where an hour happens twice', () => {
    const berlin = zone('Europe/Berlin')
    const half = compiled(['between=02:30-02:44'])
    expect(runs(half, '2026-10-24T23:00:00', '2026-10-25T12:00:00', berlin)).toEqual([
      '2026-10-25T00:30:00',
      '2026-10-25T00:44:59',
      '2026-10-25T01:30:00',
      '2026-10-25T01:44:59',
    ])
  })

  const transitions: [name: string, around: string][] = [
    ['UTC', '2026-03-29T01:00:00'],
    ['Europe/Berlin', '2026-03-29T01:00:00'],
    ['Europe/Berlin', '2026-10-25T01:00:00'],
    ['America/New_York', '2026-11-01T06:00:00'],
    ['Australia/Lord_Howe', '2026-04-04T15:00:00'],
    ['Australia/Lord_Howe', '2026-10-03T15:30:00'],
    ['America/Santiago', '2026-09-06T04:00:00'],
    ['America/Santiago', '2026-04-05T03:00:00'],
    ['Pacific/Apia', '2011-12-30T10:00:00'],
    ['Asia/Kathmandu', '1985-12-31T18:30:00'],
    ['Europe/Amsterdam', '1937-06-30T23:40:28'],
  ]
  it.each(transitions)('agrees with allows second by second in %s around %s', (name, around) => {
    const place = zone(name)
    const middle = seconds(around)
    const middleDay = Math.floor(middle / 86_400)
    const clauses = fc.array(told(middleDay - 30, middleDay + 1), { maxLength: 2 })
    const before = fc.nat(20_000)
    const after = fc.nat(20_000)
    const property = fc.property(clauses, clauses, before, after, (only, avoid, head, tail) => {
      fc.pre(only.length + avoid.length > 0)
      const constraints = compiled(texts(only), texts(avoid))
      const [start, end] = [middle - head, middle + tail]
      const found = constraints.allowedRuns(place, start, end)
      expect([...found]).toEqual(runsBySecond(constraints, place, start, end))
    })
    fc.assert(property, { numRuns: 40 })
  })

  it('agrees with allows minute by minute over a year with all its clock changes', () => {
    const clauses = fc.array(told(20_454, 20_820), { minLength: 1, maxLength: 2 })
    const property = fc.property(clauses, clauses, (only, avoid) => {
      const constraints = compiled(texts(only), texts(avoid))
      const place = zone('Australia/Lord_Howe')
      const start = seconds('2026-01-01T00:00:00')
      const end = start + 366 * 86_400
      const found = constraints.allowedRuns(place, start, end)
      let total = 0
      for (let i = 0; i < found.length; i += 2) total += found[i + 1]! - found[i]! + 1
      let allowed = 0
      for (let t = start; t < end; t += 60)
        if (constraints.allows(t + place.offsetAt(t))) allowed += 60
      if (constraints.allows(end + place.offsetAt(end))) allowed += 1
      expect(total).toBe(allowed)
    })
    fc.assert(property, { numRuns: 10 })
  })
})

function runsBySecond(
  constraints: Constraints,
  place: ZoneOffsets,
  start: number,
  end: number,
): number[] {
  const found: number[] = []
  for (let t = start; t <= end; t++) {
    if (!constraints.allows(t + place.offsetAt(t))) continue
    if (found.at(-1) === t - 1) found[found.length - 1] = t
    else found.push(t, t)
  }
  return found
}
