import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Dialect } from '../cron/index.js'
import { resolveScheduleSpec } from '../definition/index.js'
import { formatSchedule, parseSchedule, type ScheduleSpec, splitSchedule } from './index.js'

const day = 86_400_000
const durations = fc.oneof(
  fc.nat(366 * 24).map((hours) => `${hours}h`),
  fc.double({ min: 0, max: 366 * day, noNaN: true }),
  fc.nat(100_000),
)
const positive = fc.double({ min: 0, minExcluded: true, max: 1000, noNaN: true })
const sample = fc.constantFrom(undefined, 'exact', 'rejection')
const sigma = fc.option(
  fc.integer({ min: 1, max: 1e9 }).map((us) => us / 1000),
  { nil: undefined },
)
const distributions = fc.oneof(
  fc.record({ name: fc.constant('uniform'), params: fc.record({ sample }) }),
  fc.record({
    name: fc.constantFrom('skewEarly', 'skewLate'),
    params: fc.record({ shape: fc.option(positive, { nil: undefined }), sample }),
  }),
  fc.record({
    name: fc.constant('normal'),
    params: fc.record({ sample, sigma, mu: fc.constantFrom(undefined, 'nominal', 'end') }),
  }),
  fc.record({
    name: fc.constant('exponential'),
    params: fc.record({ dir: fc.constantFrom(undefined, 'early', 'late'), lambda: positive }),
  }),
)
const nasty = [...'",()\\;= \t\n\r@#\'`{}\u0000\u001f\u007f\u0085\u2028\u2029\ufeffé\u{1f570}']
const salts = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.string({ unit: fc.constantFrom(...nasty, 'a', 'n', 'u0041', '@tz(UTC)'), maxLength: 20 }),
  fc.constantFrom('', 'true', '0', '"', '\\', ' a ', 'name=x'),
)
const clauses = fc.array(
  fc.oneof(
    fc.array(fc.nat(23), { minLength: 1, maxLength: 5 }).map((list) => `hours=${list.join(',')}`),
    fc.array(fc.nat(7), { minLength: 1, maxLength: 5 }).map((list) => `dow=${list.join(',')}`),
    fc.constantFrom('between=22:00-06:00', 'months=JAN-MAR,12', 'dom=1,15,31', 'date=2026-12-24'),
    fc.constantFrom('dates=2026-12-24..2027-01-02', 'date=2026-12-24,2026-12-25'),
  ),
  { maxLength: 4 },
)
const schedules = fc.oneof(
  fc.record({
    schedule: fc.constantFrom(
      '0 2 * * *',
      '*/5 8-18 1,15 JAN-MAR MON-FRI',
      '@daily',
      ' 1  2 3 4 5 ',
    ),
    dialect: fc.constant<Dialect>('standard'),
  }),
  fc.record({
    schedule: fc.constantFrom('0 0 12 L * ?', '0 12 * * 5#2'),
    dialect: fc.constant<Dialect>('extended'),
  }),
  fc.record({ schedule: fc.constant('0 2 1-5 * 1'), dialect: fc.constant<Dialect>('posix') }),
)
const specs = fc
  .record({
    job: schedules,
    timezone: fc.constantFrom(
      undefined,
      'UTC',
      'Europe/Paris',
      'Etc/GMT+5',
      'America/Port-au-Prince',
    ),
    window: fc.record({
      mode: fc.constantFrom('after', 'around', 'before', 'center'),
      duration: durations,
    }),
    distribution: distributions,
    seed: fc.record({ strategy: fc.constantFrom('stable', 'daily', 'weekly'), salt: salts }),
    policy: fc.record({
      concurrency: fc.constantFrom('allow', 'forbid', 'replace'),
      deadline: durations,
      suspend: fc.boolean(),
      first: fc.constantFrom('wait', 'run'),
    }),
    constraints: fc.record({ only: clauses, avoid: clauses }),
  })
  .map(({ job, ...rest }) => resolveScheduleSpec({ ...job, ...rest }))

const reread = (text: string, spec: ScheduleSpec) => parseSchedule(text, { dialect: spec.dialect })

describe('a specification', () => {
  it('is read back from its text as it was', () => {
    const property = fc.property(specs, (spec) => {
      expect(reread(formatSchedule(spec), spec)).toStrictEqual(spec)
    })
    fc.assert(property, { numRuns: 1500 })
  })

  it('has a text that is a fixed point, on one line', () => {
    const property = fc.property(specs, (spec) => {
      const text = formatSchedule(spec)
      expect(formatSchedule(reread(text, spec))).toBe(text)
      expect(text).not.toMatch(/[\p{Cc}\u2028\u2029\ufeff]/u)
    })
    fc.assert(property, { numRuns: 1000 })
  })

  it('can be told from the fields that follow it on a line', () => {
    const property = fc.property(specs, (spec) => {
      const text = formatSchedule(spec)
      const rest = 'name=backup command="tar cf (x) @win(after,3h)"'
      expect(splitSchedule(`${text} ${rest}`)).toEqual({
        schedule: text,
        rest,
        restOffset: text.length + 1,
      })
    })
    fc.assert(property, { numRuns: 1000 })
  })
})
