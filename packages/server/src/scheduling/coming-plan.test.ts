import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { byCron, byInterval, sampleNow as now, samplePlan } from '../../testing/sample-endpoint.js'
import type { EndpointDefinition, Plan } from '../domain/index.js'
import { previewPlans } from './coming-plan.js'
import { replan } from './index.js'
import { RunAllowance } from './run-allowance.js'

const minute = 60_000
const hour = 60 * minute
const at = (text: string): number => Date.parse(`2026-03-01T${text}Z`)

/** A plan that was changed and then made again, as the API does. */
function previewed(
  definition: Partial<EndpointDefinition>,
  change: Partial<Plan>,
  count: number,
): string[] {
  const { plan, compiled } = samplePlan({ planner: 'on', ...definition }, change)
  const made = replan(plan, compiled, now)
  return previewPlans(made, compiled, now, count).map(
    ({ nextRunAt, source }) => `${new Date(nextRunAt).toISOString().slice(11, 19)} ${source}`,
  )
}

describe('the next plans of an endpoint', () => {
  it('follow a cron baseline', () => {
    expect(previewed(byCron('*/20 * * * *'), {}, 3)).toEqual([
      '12:20:00 baseline-cron',
      '12:40:00 baseline-cron',
      '13:00:00 baseline-cron',
    ])
  })

  it('begin with what is planned, and carry the period of a window', () => {
    const { plan, compiled } = samplePlan(byCron('0 * * * * @win(after,30m)'))
    const previews = previewPlans(plan, compiled, now, 3)
    expect(previews[0]).toEqual({
      nextRunAt: plan.nextRunAt,
      source: plan.source,
      periodId: plan.periodId,
      giver: null,
    })
    // The window of 12:00 is open, and its run is still to come or is over by the seed alone.
    expect(previews.map(({ periodId }) => periodId.slice(14))).toEqual([
      '00:00Z',
      '00:00Z',
      '00:00Z',
    ])
    const hours = previews.map(({ periodId }) => Date.parse(periodId) / hour)
    expect([hours[1]! - hours[0]!, hours[2]! - hours[1]!]).toEqual([1, 1])
    for (const { nextRunAt, periodId } of previews) {
      expect(nextRunAt - Date.parse(periodId)).toBeGreaterThanOrEqual(0)
      expect(nextRunAt - Date.parse(periodId)).toBeLessThanOrEqual(30 * minute)
    }
  })

  it('let a hint expire on the way, and use a one-shot once', () => {
    const hint = { expiresAt: at('12:05:00'), reason: null, by: 'planner:rules' }
    const change = {
      lastRunAt: now,
      intervalHint: { ...hint, intervalMs: 2 * minute },
      oneShotHint: { ...hint, nextRunAt: at('12:01:00') },
    }
    expect(previewed(byInterval(10 * minute), change, 5)).toEqual([
      '12:01:00 ai-oneshot',
      '12:03:00 ai-interval',
      '12:05:00 ai-interval',
      '12:15:00 baseline-interval',
      '12:25:00 baseline-interval',
    ])
  })

  it('show a pause as its end', () => {
    const change = { pausedUntil: at('15:10:00') }
    expect(previewed(byCron('0 * * * *'), change, 3)).toEqual([
      '15:10:00 paused',
      '16:00:00 baseline-cron',
      '17:00:00 baseline-cron',
    ])
  })

  it('show a quota that is used up as its end', () => {
    const { plan, compiled } = samplePlan(byCron('30 9 * * *'))
    const nextRunAt = Date.UTC(2026, 3, 1)
    const waiting: Plan = { ...plan, source: 'quota', nextRunAt, periodId: 'April' }
    expect(previewPlans(waiting, compiled, now, 2)).toEqual([
      { nextRunAt, source: 'quota', periodId: 'April', giver: null },
      {
        nextRunAt: Date.UTC(2026, 3, 1, 9, 30),
        source: 'baseline-cron',
        periodId: '2026-04-01T09:30:00Z',
        giver: null,
      },
    ])
  })

  it('take from what the quota has left, and wait for its next beginning', () => {
    const last = Date.UTC(2026, 2, 31, 23, 55)
    const { plan, compiled } = samplePlan(byInterval(2 * minute), { nextRunAt: last })
    const previews = previewPlans(plan, compiled, last, 6, new RunAllowance(3, 1, last))
    expect(previews.map(({ nextRunAt, source }) => [(nextRunAt - last) / minute, source])).toEqual([
      [0, 'baseline-interval'],
      [2, 'baseline-interval'],
      [5, 'quota'],
      [5, 'baseline-interval'],
      [7, 'baseline-interval'],
      [9, 'baseline-interval'],
    ])
  })

  it('never run with a quota of none', () => {
    const { plan, compiled } = samplePlan(byInterval(minute))
    const previews = previewPlans(plan, compiled, now, 3, new RunAllowance(0, 0, now))
    expect(previews.map(({ source }) => source)).toEqual(['quota', 'quota', 'quota'])
  })

  it('stay within minimum and maximum', () => {
    const limits = { minIntervalMs: 7 * minute }
    expect(previewed({ ...byCron('*/5 * * * *'), ...limits }, { lastRunAt: now }, 3)).toEqual([
      '12:07:30 clamped-min',
      '12:14:30 clamped-min',
      '12:21:30 clamped-min',
    ])
  })

  it('come after a run that is under way', () => {
    const held = {
      scheduledFor: at('12:00:00'),
      source: 'baseline-interval' as const,
      leaseUntil: at('12:01:00'),
      deliveries: 1,
    }
    const change = { held, handledThrough: at('12:00:00') }
    expect(previewed(byInterval(5 * minute), change, 2)).toEqual([
      '12:05:00 baseline-interval',
      '12:10:00 baseline-interval',
    ])
  })

  it('go on from now when the first of them is late', () => {
    const { plan, compiled } = samplePlan(byInterval(5 * minute), {
      lastRunAt: at('11:00:00'),
      nextRunAt: at('11:05:00'),
    })
    expect(previewPlans(plan, compiled, now, 2).map(({ nextRunAt }) => nextRunAt)).toEqual([
      at('11:05:00'),
      now + 5 * minute,
    ])
  })

  it('are none for an endpoint that is suspended, or whose schedule never comes again', () => {
    expect(previewed(byCron('* * * * *'), { suspended: true }, 5)).toEqual([])
    expect(previewed(byCron('0 0 * * * @only(date=2020-01-01)'), {}, 5)).toEqual([])
  })

  it('always ascend, however short the intervals are', () => {
    const instant = fc.integer({ min: now - hour, max: now + hour })
    const hint = { reason: null, by: 'key' }
    const anything = fc.record({
      interval: fc.integer({ min: 1, max: hour }),
      concurrency: fc.constantFrom('forbid' as const, 'allow' as const),
      maxIntervalMs: fc.option(fc.integer({ min: 0, max: hour })),
      pausedUntil: fc.option(instant),
      lastRunAt: fc.option(instant.map((ms) => Math.min(ms, now))),
      hinted: fc.option(fc.tuple(fc.integer({ min: 1, max: hour }), instant)),
      oneShot: fc.option(fc.tuple(instant, instant)),
    })
    const property = fc.property(anything, (given) => {
      const { concurrency, maxIntervalMs } = given
      const { plan, compiled } = samplePlan(
        { ...byInterval(given.interval), concurrency, maxIntervalMs },
        {
          pausedUntil: given.pausedUntil,
          lastRunAt: given.lastRunAt,
          intervalHint: given.hinted && {
            ...hint,
            intervalMs: given.hinted[0],
            expiresAt: given.hinted[1],
          },
          oneShotHint: given.oneShot && {
            ...hint,
            nextRunAt: given.oneShot[0],
            expiresAt: given.oneShot[1],
          },
        },
      )
      const previews = previewPlans(replan(plan, compiled, now), compiled, now, 20)
      expect(previews).toHaveLength(20)
      for (const [index, { nextRunAt, source }] of previews.entries()) {
        if (index === 0) expect(nextRunAt).toBeGreaterThanOrEqual(now)
        else if (previews[index - 1]!.source === 'paused') {
          expect(nextRunAt).toBeGreaterThanOrEqual(previews[index - 1]!.nextRunAt)
        } else expect(nextRunAt).toBeGreaterThan(previews[index - 1]!.nextRunAt)
        if (index > 0) expect(source).not.toBe('paused')
      }
    })
    fc.assert(property, { numRuns: 500, seed: 11 })
  })
})
