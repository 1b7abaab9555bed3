import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileJob } from '../decision/index.js'
import type { EndpointPlan } from './endpoint-plan.js'
import { planNextRun } from './plan-next-run.js'

const now = Date.UTC(2026, 2, 1, 12, 0, 30)
const minute = 60_000
const hour = 3_600_000
const createdAt = now - 24 * hour

const plan = (fields: Partial<EndpointPlan>) =>
  planNextRun(
    { createdAt, lastRunAt: now - minute, baselineIntervalMs: 5 * minute, ...fields },
    now,
  )

const cronOnly = { baselineIntervalMs: null, baselineCron: '*/5 * * * *' }
const oneShot = (at: number, expires = now + 1) => ({
  aiHintNextRunAt: at,
  aiHintNextRunExpiresAt: expires,
})
const interval = (ms: number, expires = now + 1) => ({
  aiHintIntervalMs: ms,
  aiHintIntervalExpiresAt: expires,
})

describe('each source, in the order of the seed', () => {
  it.each([
    ['paused', { pausedUntil: now + hour }, now + hour],
    ['ai-oneshot', oneShot(now + 10 * minute), now + 10 * minute],
    ['ai-interval', interval(2 * minute), now + minute],
    ['baseline-cron', cronOnly, Date.UTC(2026, 2, 1, 12, 5)],
    ['baseline-interval', {}, now + 4 * minute],
  ] as const)('%s', (source, fields, nextRunAt) => {
    expect(plan(fields)).toEqual({ nextRunAt, source })
  })

  it('a pause beats everything and is never clamped', () => {
    const everything = {
      ...oneShot(now),
      ...interval(minute),
      minIntervalMs: 10 * hour,
      maxIntervalMs: 10 * hour,
    }
    const paused = { nextRunAt: now + 1, source: 'paused' }
    expect(plan({ pausedUntil: now + 1, ...everything })).toEqual(paused)
    const far = { nextRunAt: now + 1000 * hour, source: 'paused' }
    expect(plan({ pausedUntil: now + 1000 * hour, ...everything })).toEqual(far)
  })

  it('a one-shot beats an interval hint, a hint beats either baseline', () => {
    const both = { ...oneShot(now + 9 * minute), ...interval(minute) }
    expect(plan(both)).toEqual({ nextRunAt: now + 9 * minute, source: 'ai-oneshot' })
    expect(plan({ ...cronOnly, ...interval(hour) })).toEqual({
      nextRunAt: now + 59 * minute,
      source: 'ai-interval',
    })
    expect(plan({ ...cronOnly, ...oneShot(now + 2) }).source).toBe('ai-oneshot')
  })
})

describe('boundaries', () => {
  it('a pause until now is over', () => {
    expect(plan({ pausedUntil: now }).source).toBe('baseline-interval')
    expect(plan({ pausedUntil: now - 1 }).source).toBe('baseline-interval')
    expect(plan({ pausedUntil: null }).source).toBe('baseline-interval')
  })

  it('a hint that expires now is over, each by its own expiry', () => {
    expect(plan(oneShot(now + minute, now)).source).toBe('baseline-interval')
    expect(plan(interval(minute, now)).source).toBe('baseline-interval')
    const expiredOneShot = { ...oneShot(now + minute, now), ...interval(2 * minute) }
    expect(plan(expiredOneShot).source).toBe('ai-interval')
    const expiredInterval = { ...oneShot(now + minute), ...interval(2 * minute, now) }
    expect(plan(expiredInterval).source).toBe('ai-oneshot')
  })

  it('a hint without an expiry never counts', () => {
    expect(plan({ aiHintNextRunAt: now + minute }).source).toBe('baseline-interval')
    expect(plan({ aiHintIntervalMs: minute }).source).toBe('baseline-interval')
    expect(plan({ aiHintNextRunExpiresAt: now + 1 }).source).toBe('baseline-interval')
    expect(plan({ aiHintIntervalExpiresAt: now + 1 }).source).toBe('baseline-interval')
  })

  it('a result in the past becomes now and keeps its label', () => {
    expect(plan({ lastRunAt: now - hour })).toEqual({ nextRunAt: now, source: 'baseline-interval' })
    expect(plan(oneShot(now - hour))).toEqual({ nextRunAt: now, source: 'ai-oneshot' })
    expect(plan({ lastRunAt: now - hour, ...interval(minute) })).toEqual({
      nextRunAt: now,
      source: 'ai-interval',
    })
    expect(plan({ lastRunAt: now - hour, minIntervalMs: 6 * minute })).toEqual({
      nextRunAt: now,
      source: 'clamped-min',
    })
    expect(plan({ lastRunAt: now - hour, maxIntervalMs: minute })).toEqual({
      nextRunAt: now,
      source: 'clamped-max',
    })
  })

  it('cron looks strictly after now', () => {
    const onTheMinute = Date.UTC(2026, 2, 1, 12, 5)
    const endpoint = { createdAt, baselineCron: '*/5 * * * *' }
    expect(planNextRun(endpoint, onTheMinute).nextRunAt).toBe(onTheMinute + 5 * minute)
    expect(planNextRun(endpoint, onTheMinute - 1).nextRunAt).toBe(onTheMinute)
  })
})

describe('clamping', () => {
  const clamped = (fields: Partial<EndpointPlan>) => plan({ lastRunAt: now, ...fields })

  it.each([
    ['below the minimum', { minIntervalMs: 6 * minute }, 6 * minute, 'clamped-min'],
    ['equal to the minimum', { minIntervalMs: 5 * minute }, 5 * minute, 'baseline-interval'],
    ['equal to the maximum', { maxIntervalMs: 5 * minute }, 5 * minute, 'baseline-interval'],
    ['above the maximum', { maxIntervalMs: 4 * minute }, 4 * minute, 'clamped-max'],
    [
      'between both',
      { minIntervalMs: minute, maxIntervalMs: hour },
      5 * minute,
      'baseline-interval',
    ],
    ['min = max, below', { minIntervalMs: hour, maxIntervalMs: hour }, hour, 'clamped-min'],
    ['min = max, above', { minIntervalMs: minute, maxIntervalMs: minute }, minute, 'clamped-max'],
    ['a minimum of nothing', { minIntervalMs: 0 }, 5 * minute, 'baseline-interval'],
    ['a maximum of nothing', { maxIntervalMs: 0 }, 0, 'clamped-max'],
  ] as const)('%s', (_, fields, after, source) => {
    expect(clamped(fields)).toEqual({ nextRunAt: now + after, source })
  })

  it('applies to hints and to cron alike', () => {
    const limits = { minIntervalMs: 10 * minute, maxIntervalMs: 20 * minute }
    const soon = { nextRunAt: now + 10 * minute, source: 'clamped-min' }
    const late = { nextRunAt: now + 20 * minute, source: 'clamped-max' }
    expect(clamped({ ...limits, ...oneShot(now + 1) })).toEqual(soon)
    expect(clamped({ ...limits, ...interval(1) })).toEqual(soon)
    expect(clamped({ ...limits, ...cronOnly })).toEqual(soon)
    expect(clamped({ ...limits, ...oneShot(now + hour) })).toEqual(late)
    expect(clamped({ ...limits, ...interval(hour) })).toEqual(late)
    expect(clamped({ ...limits, baselineIntervalMs: null, baselineCron: '0 0 1 1 *' })).toEqual(
      late,
    )
  })

  it('counts from creation when it has never run', () => {
    const never = { createdAt: now - minute, baselineIntervalMs: 5 * minute }
    const first = { nextRunAt: now + 4 * minute, source: 'baseline-interval' }
    expect(planNextRun(never, now)).toEqual(first)
    expect(planNextRun({ ...never, lastRunAt: null }, now)).toEqual(first)
    expect(planNextRun({ ...never, minIntervalMs: hour }, now)).toEqual({
      nextRunAt: now + 59 * minute,
      source: 'clamped-min',
    })
    expect(planNextRun({ ...never, ...interval(2 * minute) }, now)).toEqual({
      nextRunAt: now + minute,
      source: 'ai-interval',
    })
  })

  it('a baseline at the end of all dates never comes again', () => {
    const endpoint = { createdAt: 0, baselineCron: '0 0 29 2 *' }
    const end = { nextRunAt: null, source: 'baseline-cron' }
    expect(planNextRun(endpoint, 8.64e15)).toEqual(end)
  })

  it('a draw before 1970 is a time like any other', () => {
    const endpoint = { createdAt: -9e12, baselineCron: '0 0 * * * @only(dow=MON)' }
    const friday = Date.UTC(1960, 0, 1, 12)
    expect(planNextRun(endpoint, friday).nextRunAt).toBe(Date.UTC(1960, 0, 4))
  })

  it('a maximum makes up for a baseline that never comes again', () => {
    const never = compileJob({
      identity: 'never',
      schedule: '0 0 * * *',
      constraints: { only: ['date=2020-01-01'] },
    })
    const endpoint = { createdAt, baselineCron: never, lastRunAt: now }
    expect(planNextRun(endpoint, now)).toEqual({ nextRunAt: null, source: 'baseline-cron' })
    expect(planNextRun({ ...endpoint, maxIntervalMs: hour }, now)).toEqual({
      nextRunAt: now + hour,
      source: 'clamped-max',
    })
  })
})

describe('a baseline cron with all of a Kron schedule', () => {
  const text = '0 12 * * * @win(around,2h) @seed(daily,salt=x)'
  const job = compileJob({
    identity: 'acme/sync',
    schedule: '0 12 * * *',
    window: { mode: 'around', duration: '2h' },
    seed: { strategy: 'daily', salt: 'x' },
  })
  const chosenOn = (dayOfMonth: number) => job.decide(Date.UTC(2026, 2, dayOfMonth, 12)).chosenTime!
  const endpoint = { createdAt, identity: 'acme/sync', baselineCron: text }

  it('is planned at the chosen time of its period', () => {
    const today = chosenOn(1)
    const next = { nextRunAt: today, source: 'baseline-cron' }
    expect(planNextRun(endpoint, today - 1)).toEqual(next)
    expect(planNextRun({ createdAt, baselineCron: job }, today - 1)).toEqual(next)
    expect(planNextRun(endpoint, today - 20 * hour)).toEqual(next)
    expect(planNextRun(endpoint, today).nextRunAt).toBe(chosenOn(2))
  })

  it('takes the time zone of the endpoint unless the text names one', () => {
    const noon = (fields: Partial<EndpointPlan>) =>
      planNextRun({ createdAt, ...fields }, Date.UTC(2026, 2, 1)).nextRunAt
    const paris = { timezone: 'Europe/Paris' }
    expect(noon({ baselineCron: '0 12 * * *' })).toBe(Date.UTC(2026, 2, 1, 12))
    expect(noon({ baselineCron: '0 12 * * *', ...paris })).toBe(Date.UTC(2026, 2, 1, 11))
    expect(noon({ baselineCron: '0 12 * * * @tz(UTC)', ...paris })).toBe(Date.UTC(2026, 2, 1, 12))
    expect(noon({ baselineCron: '0 12 * * * @tz(Asia/Tokyo)', ...paris })).toBe(
      Date.UTC(2026, 2, 1, 3),
    )
  })

  it('passes over periods that can not be scheduled', () => {
    const mondays = { createdAt, baselineCron: '0 12 * * * @only(dow=MON)' }
    expect(planNextRun(mondays, now).nextRunAt).toBe(Date.UTC(2026, 2, 2, 12))
  })

  it('needs an identity for a window', () => {
    expect(() => planNextRun({ createdAt, baselineCron: text }, now)).toThrow(/identity/)
  })
})

describe('always', () => {
  const instant = fc.integer({ min: now - 10 * hour, max: now + 10 * hour })
  const length = fc.integer({ min: 1, max: 5 * hour })
  const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })
  const endpoints = fc
    .record({
      pausedUntil: maybe(instant),
      aiHintNextRunAt: maybe(instant),
      aiHintNextRunExpiresAt: maybe(instant),
      aiHintIntervalMs: maybe(length),
      aiHintIntervalExpiresAt: maybe(instant),
      cron: fc.boolean(),
      baselineIntervalMs: length,
      lastRunAt: maybe(instant.map((at) => Math.min(at, now))),
      limits: fc.tuple(maybe(length), maybe(length)),
    })
    .map(({ cron, limits: [a, b], baselineIntervalMs, ...rest }) => ({
      ...rest,
      createdAt,
      ...(cron ? { baselineCron: '*/7 * * * *' } : { baselineIntervalMs }),
      minIntervalMs: a !== null && b !== null ? Math.min(a, b) : a,
      maxIntervalMs: a !== null && b !== null ? Math.max(a, b) : b,
    }))

  it('plans in the present or future, and within the limits unless paused or already late', () => {
    const check = fc.property(endpoints, (endpoint) => {
      const { nextRunAt, source } = planNextRun(endpoint, now)
      expect(nextRunAt).toBeGreaterThanOrEqual(now)
      if (source === 'paused') {
        expect(nextRunAt).toBe(endpoint.pausedUntil)
        return
      }
      const since = endpoint.lastRunAt ?? endpoint.createdAt
      if (endpoint.minIntervalMs !== null) {
        expect(nextRunAt).toBeGreaterThanOrEqual(since + endpoint.minIntervalMs)
      }
      if (endpoint.maxIntervalMs !== null) {
        expect(nextRunAt).toBeLessThanOrEqual(Math.max(now, since + endpoint.maxIntervalMs))
      }
    })
    fc.assert(check, { numRuns: 3000, seed: 7 })
  })
})
