import { describe, expect, it } from 'vitest'
import type { EndpointPlan, PlanSource } from './endpoint-plan.js'
import { planNextRun } from './plan-next-run.js'

const now = Date.UTC(2026, 2, 1, 12, 0, 30)
const minute = 60_000
const hour = 3_600_000
const createdAt = now - 24 * hour

const byInterval = (ms: number) => ({ baselineIntervalMs: ms })
const byCron = { baselineCron: '*/5 * * * *' }
const nextCron = Date.UTC(2026, 2, 1, 12, 5)
const oneShot = (at: number) => ({ aiHintNextRunAt: at, aiHintNextRunExpiresAt: now + 1 })
const hinted = (ms: number) => ({ aiHintIntervalMs: ms, aiHintIntervalExpiresAt: now + 1 })
const limits = (minIntervalMs: number | null, maxIntervalMs: number | null) => ({
  minIntervalMs,
  maxIntervalMs,
})

type Row = [string, Partial<EndpointPlan>, number, PlanSource]

describe('what is exactly at a limit is not clamped, one millisecond beyond is', () => {
  const toCron = nextCron - now
  it.each<Row>([
    ['a one-shot at the minimum', { ...oneShot(now + 9), ...limits(9, null) }, 9, 'ai-oneshot'],
    ['a one-shot below', { ...oneShot(now + 8), ...limits(9, null) }, 9, 'clamped-min'],
    ['a one-shot at the maximum', { ...oneShot(now + 9), ...limits(null, 9) }, 9, 'ai-oneshot'],
    ['a one-shot above', { ...oneShot(now + 10), ...limits(null, 9) }, 9, 'clamped-max'],
    ['an interval hint at the minimum', { ...hinted(9), ...limits(9, null) }, 9, 'ai-interval'],
    ['an interval hint below', { ...hinted(8), ...limits(9, null) }, 9, 'clamped-min'],
    ['an interval hint at the maximum', { ...hinted(9), ...limits(null, 9) }, 9, 'ai-interval'],
    ['an interval hint above', { ...hinted(10), ...limits(null, 9) }, 9, 'clamped-max'],
    ['min = max, met', { ...hinted(9), ...limits(9, 9) }, 9, 'ai-interval'],
  ])('%s', (_, fields, after, source) => {
    for (const baseline of [byInterval(hour), byCron]) {
      const endpoint = { createdAt, lastRunAt: now, ...baseline, ...fields }
      expect(planNextRun(endpoint, now)).toEqual({ nextRunAt: now + after, source })
    }
  })

  it.each<Row>([
    ['at the minimum', limits(toCron, null), toCron, 'baseline-cron'],
    ['below the minimum', limits(toCron + 1, null), toCron + 1, 'clamped-min'],
    ['at the maximum', limits(null, toCron), toCron, 'baseline-cron'],
    ['above the maximum', limits(null, toCron - 1), toCron - 1, 'clamped-max'],
    ['min = max, met', limits(toCron, toCron), toCron, 'baseline-cron'],
  ])('cron %s', (_, fields, after, source) => {
    const endpoint = { createdAt, lastRunAt: now, ...byCron, ...fields }
    expect(planNextRun(endpoint, now)).toEqual({ nextRunAt: now + after, source })
  })
})

describe('an endpoint that never ran', () => {
  it.each<Row>([
    ['cron', byCron, nextCron - now, 'baseline-cron'],
    ['cron and a minimum', { ...byCron, ...limits(25 * hour, null) }, hour, 'clamped-min'],
    ['cron and a maximum', { ...byCron, ...limits(null, 24 * hour) }, 0, 'clamped-max'],
    [
      'an interval and a maximum',
      { ...byInterval(30 * hour), ...limits(1, 26 * hour) },
      2 * hour,
      'clamped-max',
    ],
    ['a one-shot', { ...byCron, ...oneShot(now + 5) }, 5, 'ai-oneshot'],
    [
      'a one-shot and a minimum',
      { ...byCron, ...oneShot(now), ...limits(25 * hour, null) },
      hour,
      'clamped-min',
    ],
    ['an interval hint beside cron', { ...byCron, ...hinted(25 * hour) }, hour, 'ai-interval'],
    ['an interval that is over', byInterval(hour), 0, 'baseline-interval'],
    ['a pause', { ...byCron, pausedUntil: now + 5 }, 5, 'paused'],
  ])('by %s', (_, fields, after, source) => {
    expect(planNextRun({ createdAt, ...fields }, now)).toEqual({ nextRunAt: now + after, source })
  })
})

describe('a clock that was set back behind the last run', () => {
  const lastRunAt = now + hour
  it.each<Row>([
    ['an interval', byInterval(minute), hour + minute, 'baseline-interval'],
    ['an interval hint', { ...byCron, ...hinted(minute) }, hour + minute, 'ai-interval'],
    ['a minimum', { ...byCron, ...limits(minute, null) }, hour + minute, 'clamped-min'],
    ['cron', byCron, nextCron - now, 'baseline-cron'],
  ])('leaves %s where it was', (_, fields, after, source) => {
    const endpoint = { createdAt, lastRunAt, ...fields }
    expect(planNextRun(endpoint, now)).toEqual({ nextRunAt: now + after, source })
  })
})
