import { describe, expect, it } from 'vitest'
import { byInterval, sampleNow as now, samplePlan } from '../../testing/sample-endpoint.js'
import type { Plan } from '../domain/index.js'
import { leaseGraceMs, type WakeKind, wakeOf } from './wake.js'

const held = { scheduledFor: 1, source: 'manual', leaseUntil: now + 9, deliveries: 1 } as const
const hint = (expiresAt: number) => ({ expiresAt, reason: null, by: 'x' })
const oneShotUntil = (end: number) => ({ oneShotHint: { nextRunAt: now + 9, ...hint(end) } })
const intervalUntil = (end: number) => ({ intervalHint: { intervalMs: 9, ...hint(end) } })
const requested = (at: number) => ({ requested: { at, source: 'manual' } as const })

describe('an endpoint wakes', () => {
  it.each<[string, Partial<Plan>, number | null, WakeKind]>([
    ['for its plan', { nextRunAt: now }, now, 'due'],
    ['for a plan that ends others, and not before', { nextRunAt: now, exact: true }, now, 'exact'],
    ['never, when nothing is planned', { nextRunAt: null }, null, 'due'],
    ['at the end of a pause', { nextRunAt: now, source: 'paused' }, now, 'waiting'],
    ['when its quota begins again', { nextRunAt: now, source: 'quota' }, now, 'waiting'],
    ["when the system's begins again", { nextRunAt: now, source: 'system-quota' }, now, 'waiting'],
    ['shortly after the lease of a run', { held }, now + 9 + leaseGraceMs, 'held'],
    [
      'for nothing else while a run holds it',
      { held, ...requested(1), nextRunAt: 2, suspended: true },
      now + 9 + leaseGraceMs,
      'held',
    ],
    ['never while suspended', { nextRunAt: now, suspended: true }, null, 'due'],
    [
      'for a run that was asked for, suspended or not',
      { nextRunAt: 5, suspended: true, ...requested(now) },
      now,
      'due',
    ],
    [
      'for the request when it is earlier',
      { nextRunAt: now, ...requested(now - 1) },
      now - 1,
      'due',
    ],
    ['for the plan when it is earlier', { nextRunAt: now - 1, ...requested(now) }, now - 1, 'due'],
    ['for both at once', { nextRunAt: now, ...requested(now) }, now, 'due'],
    [
      'for both at once as its plan says',
      { nextRunAt: now, exact: true, ...requested(now) },
      now,
      'exact',
    ],
    [
      'for a request before a pause ends',
      { nextRunAt: now, source: 'paused', ...requested(now - 1) },
      now - 1,
      'due',
    ],
    ['for a request when nothing is planned', { nextRunAt: null, ...requested(now) }, now, 'due'],
  ])('%s', (_, planned, at, kind) => {
    const { plan } = samplePlan(byInterval(1000), planned)
    expect(wakeOf(plan).at).toBe(at)
    if (at !== null) expect(wakeOf(plan).kind).toBe(kind)
  })
})

describe('an endpoint whose run is planned for later than a hint ends', () => {
  const run = now + 9
  it.each([
    ['ai-oneshot', oneShotUntil(now), true],
    ['ai-oneshot', intervalUntil(now), false],
    ['ai-interval', intervalUntil(now), true],
    ['ai-interval', oneShotUntil(now), false],
    ['clamped-min', oneShotUntil(now), true],
    ['clamped-min', intervalUntil(now), true],
    ['clamped-max', oneShotUntil(now), true],
    ['clamped-max', intervalUntil(now), true],
    ['baseline-interval', oneShotUntil(now), false],
    ['baseline-interval', intervalUntil(now), false],
  ] as const)('by %s with %j wakes at the end of that: %s', (source, hints, isWaiting) => {
    const { plan } = samplePlan(byInterval(1000), { nextRunAt: run, source, ...hints })
    const wake = isWaiting ? { at: now, kind: 'waiting' } : { at: run, kind: 'due' }
    expect(wakeOf(plan)).toEqual(wake)
  })

  it('wakes for the run when that comes at the very end', () => {
    const planned = { nextRunAt: run, source: 'ai-interval', ...intervalUntil(run) } as const
    const { plan } = samplePlan(byInterval(1000), planned)
    expect(wakeOf(plan)).toEqual({ at: run, kind: 'due' })
  })
})
