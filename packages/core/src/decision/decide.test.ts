import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { failure } from '../../test/failure.js'
import { type NaiveClause, type NaiveRequest, naiveDecide } from '../../test/naive-decide.js'
import { formatInstant } from '../calendar/instant.js'
import { ConfigurationError, KronError, ValidationError } from '../errors/index.js'
import { zone } from '../zone/index.js'
import { decide } from './decision.js'

const between = (min: number, max: number) => fc.integer({ min, max })
const zones = ['UTC', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Pacific/Apia']
const weekdays = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']
const two = (n: number) => String(n).padStart(2, '0')
const minuteOf = (local: Date) => local.getUTCHours() * 60 + local.getUTCMinutes()

const clause: fc.Arbitrary<NaiveClause> = fc.oneof(
  fc.tuple(between(0, 23), between(0, 23)).map(([a, b]) => {
    const [from, to] = [Math.min(a, b), Math.max(a, b)]
    const holds = (local: Date) => local.getUTCHours() >= from && local.getUTCHours() <= to
    return { text: `hours=${from}-${to}`, kind: 'hours', holds }
  }),
  between(0, 6).map((day) => ({
    text: `dow=${weekdays[day]}`,
    kind: 'dow',
    holds: (local: Date) => local.getUTCDay() === day,
  })),
  between(1, 31).map((day) => ({
    text: `dom=${day}`,
    kind: 'dom',
    holds: (local: Date) => local.getUTCDate() === day,
  })),
  between(1, 12).map((month) => ({
    text: `months=${month}`,
    kind: 'months',
    holds: (local: Date) => local.getUTCMonth() + 1 === month,
  })),
  fc.tuple(between(0, 1439), between(0, 1439)).map(([from, to]) => {
    const clock = (minute: number) => `${two(Math.floor(minute / 60))}:${two(minute % 60)}`
    const holds = (local: Date) => {
      const minute = minuteOf(local)
      return from <= to ? minute >= from && minute <= to : minute >= from || minute <= to
    }
    return { text: `between=${clock(from)}-${clock(to)}`, kind: 'between', holds }
  }),
  between(0, 400).map((days) => {
    const date = new Date(Date.UTC(2026, 0, 1 + days)).toISOString().slice(0, 10)
    const holds = (local: Date) => local.toISOString().slice(0, 10) === date
    return { text: `date=${date}`, kind: 'date', holds }
  }),
)

const requests = fc.record({
  identity: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 80 }),
  nominal: between(Date.UTC(2026, 0, 1) / 60_000, Date.UTC(2027, 0, 1) / 60_000).map(
    (minute) => minute * 60_000,
  ),
  mode: fc.constantFrom('after', 'around', 'before'),
  windowMs: fc.oneof(
    fc.constant(0),
    between(0, 3000),
    between(0, 86_400_000),
    between(0, 400).map((hours) => hours * 3_600_000),
  ),
  distribution: fc.constantFrom('uniform', 'skewEarly', 'skewLate', 'normal', 'exponential'),
  shape: fc.constantFrom(0.5, 1, 1.5, 2, 2.5, 7),
  lambda: fc.constantFrom(0.01, 1, 3, 50),
  dir: fc.constantFrom('early', 'late'),
  strategy: fc.constantFrom('stable', 'daily', 'weekly'),
  salt: fc.string({ unit: 'grapheme', maxLength: 40 }),
  timezone: fc.constantFrom(...zones),
  only: fc.array(clause, { maxLength: 2 }),
  avoid: fc.array(clause, { maxLength: 2 }),
})

function bothWays(input: RandomRequest) {
  const { nominal, mode, windowMs, timezone, only, avoid, salt, strategy, identity } = input
  const { distribution, shape, lambda, dir } = input
  const skewed = distribution === 'skewEarly' || distribution === 'skewLate'
  const params = {
    ...(skewed && { shape }),
    ...(distribution === 'exponential' && { lambda, dir }),
  }
  const request = {
    identity,
    nominalTime: nominal,
    timezone,
    window: { mode, duration: windowMs },
    distribution: { name: distribution, params },
    seed: { strategy, salt },
    constraints: { only: only.map((one) => one.text), avoid: avoid.map((one) => one.text) },
  } as const
  const local = zone(timezone)
  const offsetAt = (instant: number) => local.offsetAt(instant / 1000) * 1000
  const naive: NaiveRequest = { ...input, offsetAt }
  return { decision: decide(request), expected: naiveDecide(naive) }
}

type RandomRequest = Omit<NaiveRequest, 'offsetAt'> & { readonly timezone: string }

describe('a decision', () => {
  it('equals that of a plain implementation of the contract', () => {
    const check = fc.property(requests, (input) => {
      const { decision, expected } = bothWays(input)
      expect(decision).toMatchObject(expected)
      expect(decision.unschedulable).toBe(expected.chosenTime === null)
      expect(decision.periodId).toBe(formatInstant(input.nominal))
      expect('reason' in decision).toBe(decision.unschedulable)
      if (decision.chosenTime !== null) {
        expect(decision.chosenTime).toBeGreaterThanOrEqual(decision.windowStart)
        expect(decision.chosenTime).toBeLessThanOrEqual(decision.windowEnd)
      }
    })
    fc.assert(check, { numRuns: 4000, seed: 20_261_115 })
  })

  it('carries all that reproduces it', () => {
    const request = {
      identity: 'msgs/paris',
      nominalTime: Date.UTC(2026, 2, 2, 9),
      timezone: 'Europe/Paris',
      window: { mode: 'around', duration: '90m' },
      distribution: { name: 'skewLate', params: { shape: '2.5' } },
      seed: { strategy: 'stable', salt: 'msgs' },
      constraints: { only: ['hours=8-18; dow=mon-fri'], avoid: 'date=2026-12-24' },
    } as const
    expect(decide(request as never)).toEqual({
      periodId: '2026-03-02T09:00:00Z',
      periodKey: '2026-03-02T09:00:00Z',
      nominalTime: Date.UTC(2026, 2, 2, 9),
      windowStart: Date.UTC(2026, 2, 2, 8, 15),
      windowEnd: Date.UTC(2026, 2, 2, 9, 45),
      chosenTime: Date.UTC(2026, 2, 2, 9, 27, 6),
      timezone: 'Europe/Paris',
      distribution: { name: 'skewLate', params: { shape: 2.5 } },
      seed: { strategy: 'stable', salt: 'msgs' },
      seedHash: '8b95acf566414238f55eb4541a1bc726b80d02fe86a0cd2ad52988a74860b2f5',
      attempts: 1,
      unschedulable: false,
      constraintsApplied: {
        only: ['hours=8-18', 'dow=MON-FRI'],
        avoid: ['date=2026-12-24'],
      },
    })
  })
})

describe('bad input', () => {
  const good = { identity: 'a', nominalTime: 0 }
  it.each([
    ['identity', ConfigurationError, { ...good, identity: '' }],
    ['identity', ConfigurationError, { nominalTime: 0 }],
    ['identity', ValidationError, { ...good, identity: 'a\ud800' }],
    ['identity', ValidationError, { ...good, identity: 'x'.repeat(1025) }],
    ['nominalTime', ConfigurationError, { identity: 'a' }],
    ['nominalTime', ValidationError, { ...good, nominalTime: Number.NaN }],
    ['nominalTime', ValidationError, { ...good, nominalTime: 0.5 }],
    ['timezone', ConfigurationError, { ...good, timezone: 'Mars/Olympus' }],
    ['window.mode', ConfigurationError, { ...good, window: { mode: 'sideways', duration: 0 } }],
    [
      'window.duration',
      ConfigurationError,
      { ...good, window: { mode: 'after', duration: '-1s' } },
    ],
    ['window.duration', ConfigurationError, { ...good, window: { mode: 'after', duration: -1 } }],
    [
      'window.duration',
      ValidationError,
      { ...good, window: { mode: 'after', duration: '8784h1s' } },
    ],
    ['distribution.name', ConfigurationError, { ...good, distribution: { name: 'poisson' } }],
    [
      'distribution.params.shape',
      ConfigurationError,
      { ...good, distribution: { name: 'uniform', params: { shape: 2 } } },
    ],
    [
      'distribution.params.shape',
      ValidationError,
      { ...good, distribution: { name: 'skewLate', params: { shape: 0 } } },
    ],
    [
      'distribution.params.lambda',
      ValidationError,
      { ...good, distribution: { name: 'exponential', params: { lambda: -1 } } },
    ],
    ['seed.strategy', ConfigurationError, { ...good, seed: { strategy: 'monthly' } }],
    ['seed.salt', ValidationError, { ...good, seed: { salt: '\udc00' } }],
    ['constraints.only[0]', ValidationError, { ...good, constraints: { only: ['hours=24'] } }],
    ['constraints.avoid[0]', ValidationError, { ...good, constraints: { avoid: ['moon=full'] } }],
  ] as const)('names the field %s', (field, kind, request) => {
    const error = failure(() => decide(request as never))
    expect(error).toBeInstanceOf(kind)
    expect(error.details.field).toBe(field)
  })

  it('whatever it is, is a typed error', () => {
    const check = fc.property(fc.anything(), fc.anything(), (a, b) => {
      for (const request of [a, { ...good, window: a, seed: b }, { identity: a, nominalTime: b }]) {
        try {
          decide(request as never)
        } catch (error) {
          expect(error).toBeInstanceOf(KronError)
        }
      }
    })
    fc.assert(check, { numRuns: 2000, seed: 5 })
  })
})
