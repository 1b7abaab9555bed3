import { formatInstant } from '@kron/core'
import { describe, expect, it } from 'vitest'
import {
  byCron,
  byInterval,
  sampleNow as now,
  sampleEndpoint,
  samplePlan,
} from '../../testing/sample-endpoint.js'
import type { EndpointDefinition, Plan, PlannedSource } from '../domain/index.js'
import { compileEndpoint } from './compiled-endpoint.js'
import { newPlan, replan } from './replan.js'

const minute = 60_000
const hour = 3_600_000

const fiveMinutes = byInterval(5 * minute)
const cron = byCron('*/5 * * * *')
const nextCron = now - 30_000 + 5 * minute
const lastRunAt = now - minute

const oneShot = (nextRunAt: number, expiresAt = now + 1) => ({
  oneShotHint: { nextRunAt, expiresAt, reason: null, by: 'x' },
})
const every = (intervalMs: number, expiresAt = now + 1) => ({
  intervalHint: { intervalMs, expiresAt, reason: null, by: 'x' },
})
const limits = (minIntervalMs: number | null, maxIntervalMs: number | null) => ({
  minIntervalMs,
  maxIntervalMs,
})

type Row = [string, Partial<EndpointDefinition>, Partial<Plan>, number, PlannedSource]

function planned(definition: Partial<EndpointDefinition>, plan: Partial<Plan>, at = now): Plan {
  const made = samplePlan(definition, { lastRunAt, ...plan })
  return replan(made.plan, made.compiled, at)
}

describe('each source of the Governor, and each boundary', () => {
  it.each<Row>([
    ['a pause', fiveMinutes, { pausedUntil: now + 1 }, now + 1, 'paused'],
    [
      'a pause before both hints and limits',
      { ...fiveMinutes, ...limits(hour, hour) },
      { pausedUntil: now + 9, ...oneShot(now + 2), ...every(3) },
      now + 9,
      'paused',
    ],
    ['a pause until now', fiveMinutes, { pausedUntil: now }, now + 4 * minute, 'baseline-interval'],
    ['a one-shot', fiveMinutes, oneShot(now + 7), now + 7, 'ai-oneshot'],
    ['a one-shot beside cron', cron, oneShot(now + 7), now + 7, 'ai-oneshot'],
    ['a one-shot in the past', cron, oneShot(now - 7), now, 'ai-oneshot'],
    ['a one-shot that expires now', cron, oneShot(now + 7, now), nextCron, 'baseline-cron'],
    ['both hints', cron, { ...oneShot(now + 7), ...every(hour) }, now + 7, 'ai-oneshot'],
    [
      'both hints, the one-shot expired',
      cron,
      { ...oneShot(now + 7, now), ...every(hour) },
      lastRunAt + hour,
      'ai-interval',
    ],
    ['an interval hint beside cron', cron, every(2 * minute), now + minute, 'ai-interval'],
    [
      'an interval hint beside an interval',
      fiveMinutes,
      every(hour),
      lastRunAt + hour,
      'ai-interval',
    ],
    ['an interval hint that expires now', cron, every(hour, now), nextCron, 'baseline-cron'],
    ['an interval hint in the past', fiveMinutes, every(1), now, 'ai-interval'],
    ['cron', cron, {}, nextCron, 'baseline-cron'],
    ['an interval', fiveMinutes, {}, now + 4 * minute, 'baseline-interval'],
    ['an interval in the past', byInterval(1), {}, now, 'baseline-interval'],
    [
      'below the minimum',
      { ...fiveMinutes, ...limits(6 * minute, null) },
      {},
      now + 5 * minute,
      'clamped-min',
    ],
    [
      'equal to the minimum',
      { ...fiveMinutes, ...limits(5 * minute, null) },
      {},
      now + 4 * minute,
      'baseline-interval',
    ],
    [
      'equal to the maximum',
      { ...fiveMinutes, ...limits(null, 5 * minute) },
      {},
      now + 4 * minute,
      'baseline-interval',
    ],
    [
      'above the maximum',
      { ...fiveMinutes, ...limits(null, 4 * minute) },
      {},
      now + 3 * minute,
      'clamped-max',
    ],
    ['min = max below', { ...cron, ...limits(hour, hour) }, {}, lastRunAt + hour, 'clamped-min'],
    ['min = max above', { ...cron, ...limits(minute, minute) }, {}, now, 'clamped-max'],
    [
      'a clamped one-shot',
      { ...cron, ...limits(hour, null) },
      oneShot(now + 1),
      lastRunAt + hour,
      'clamped-min',
    ],
    [
      'a clamped interval hint',
      { ...cron, ...limits(null, 2 * minute) },
      every(hour),
      now + minute,
      'clamped-max',
    ],
  ])('%s', (_, definition, plan, nextRunAt, source) => {
    expect(planned(definition, plan)).toMatchObject({ nextRunAt, source })
  })

  it.each<Row>([
    ['an interval', byInterval(25 * hour), {}, now + hour, 'baseline-interval'],
    ['an interval hint', fiveMinutes, every(25 * hour), now + hour, 'ai-interval'],
    ['a minimum', { ...cron, ...limits(25 * hour, null) }, {}, now + hour, 'clamped-min'],
    [
      'a maximum',
      { ...byInterval(99 * hour), ...limits(null, 25 * hour) },
      {},
      now + hour,
      'clamped-max',
    ],
  ])(
    '%s of an endpoint that never ran counts from its making',
    (_, definition, plan, at, source) => {
      const made = planned(definition, { ...plan, lastRunAt: null })
      expect(made).toMatchObject({ nextRunAt: at, source })
    },
  )
})

describe('a plan', () => {
  it('of a new endpoint has nothing behind it', () => {
    const endpoint = sampleEndpoint(cron, { version: 3 })
    const plan = newPlan(endpoint, compileEndpoint(endpoint), now)
    expect(plan).toMatchObject({
      endpointId: endpoint.id,
      tenantId: endpoint.tenantId,
      version: 3,
      nextRunAt: nextCron,
      source: 'baseline-cron',
      periodId: formatInstant(nextCron),
      held: null,
      requested: null,
      fence: 0,
      handledThrough: null,
      failureCount: 0,
      suspended: false,
    })
  })

  it('of a new endpoint whose schedule is suspended has that schedule for its source', () => {
    const endpoint = sampleEndpoint(byCron('*/5 * * * * @policy(suspend=true)'))
    const plan = newPlan(endpoint, compileEndpoint(endpoint), now)
    expect(plan).toMatchObject({ nextRunAt: null, source: 'baseline-cron' })
  })

  it('has the id of its period, which is the nominal time of a window', () => {
    const made = samplePlan(byCron('0 * * * * @win(after,30m)'))
    const nominal = made.plan.periodId!
    expect(nominal).toMatch(/:00:00Z$/)
    const chosen = made.compiled.job!.decide(Date.parse(nominal)).chosenTime
    expect(made.plan.nextRunAt).toBe(chosen)
  })

  it('that a window did not choose has the id of its own time', () => {
    const plan = planned(byCron('0 * * * * @win(after,30m)'), oneShot(now + 7000))
    expect(plan).toMatchObject({ source: 'ai-oneshot', periodId: formatInstant(now + 7000) })
  })

  it('is not made while a run holds the endpoint, but for its version', () => {
    const held = { scheduledFor: 1, source: 'manual', leaseUntil: 2, deliveries: 1 } as const
    const made = samplePlan(cron, { held, nextRunAt: 77 })
    const endpoint = sampleEndpoint(fiveMinutes, { version: 9 })
    const next = replan(made.plan, compileEndpoint(endpoint), now)
    expect(next).toEqual({ ...made.plan, version: 9, responsibility: null })
  })

  it('is none while suspended', () => {
    const plan = planned(cron, { suspended: true })
    expect(plan).toMatchObject({ nextRunAt: null, periodId: null })
  })

  it('is none when the schedule never comes again', () => {
    const never = byCron('0 0 * * * @only(date=2020-01-01)')
    expect(planned(never, {})).toMatchObject({ nextRunAt: null, source: 'baseline-cron' })
  })

  it.each([
    ['cron', cron, nextCron, nextCron + 5 * minute],
    ['an interval', byInterval(1), now + hour, now + hour + 1],
  ])('by %s comes after what was handled, however the clock was set', (_, by, handled, next) => {
    const plan = planned(by, { handledThrough: handled })
    expect(plan.nextRunAt).toBe(next)
    expect(planned(by, { handledThrough: handled }, now - 24 * hour).nextRunAt).toBe(next)
  })

  it('by a one-shot in the past comes after what was handled', () => {
    const plan = planned(cron, { ...oneShot(now - hour), handledThrough: now })
    expect(plan).toMatchObject({ nextRunAt: now + 1, source: 'ai-oneshot' })
  })

  it('leaves everything else as it was', () => {
    const before = samplePlan(cron, { failureCount: 3, fence: 9, lastStatus: 'timeout' })
    const { nextRunAt, source, periodId, ...rest } = before.plan
    const handled = { handledThrough: nextRunAt }
    const after = replan({ ...before.plan, ...handled }, before.compiled, now + hour)
    expect(after).toMatchObject({ ...rest, ...handled })
    expect(after.nextRunAt).toBe(nextCron + hour)
  })

  describe('whose period has come, and that nobody has claimed yet,', () => {
    const before = samplePlan(cron)
    const late = nextCron + 5_000

    it('keeps it, whatever else was changed', () => {
      const edited = compileEndpoint({ ...sampleEndpoint({ ...cron, name: 'x' }), version: 2 })
      expect(replan(before.plan, edited, late)).toEqual({ ...before.plan, version: 2 })
    })

    it('drops it when the cron no longer has it', () => {
      const edited = samplePlan(byCron('7 * * * *'))
      expect(replan(before.plan, edited.compiled, late).nextRunAt).toBeGreaterThan(late)
    })

    it('drops it when the schedule gave way to an interval', () => {
      const edited = samplePlan(byInterval(hour))
      const next = replan({ ...before.plan, lastRunAt: late }, edited.compiled, late)
      expect(next).toMatchObject({ nextRunAt: late + hour, source: 'baseline-interval' })
    })

    it('drops it for a pause', () => {
      const pausedUntil = late + hour
      const paused = replan({ ...before.plan, pausedUntil }, before.compiled, late)
      expect(paused).toMatchObject({ nextRunAt: pausedUntil, source: 'paused' })
    })

    it('drops it for a hint', () => {
      const hint = oneShot(late + 1000, late + hour)
      const hinted = replan({ ...before.plan, ...hint }, before.compiled, late)
      expect(hinted).toMatchObject({ nextRunAt: late + 1000, source: 'ai-oneshot' })
    })

    it('drops it for a hint of the very same time, which is due at once', () => {
      const hint = oneShot(nextCron, late + hour)
      const hinted = replan({ ...before.plan, ...hint }, before.compiled, late)
      expect(hinted).toMatchObject({ nextRunAt: late, source: 'ai-oneshot' })
    })

    it.each([
      ['when it came', nextCron],
      ['since then', late],
    ])('keeps it though a pause ended %s', (_, pausedUntil) => {
      const plan = { ...before.plan, pausedUntil }
      expect(replan(plan, before.compiled, late)).toEqual(plan)
    })
  })
})

it('by a hint that was taken back gives way to the schedule from now on', () => {
  const planned = { nextRunAt: nextCron, source: 'ai-oneshot' } as const
  const { plan, compiled } = samplePlan(cron, planned)
  const next = { nextRunAt: nextCron + 5 * minute, source: 'baseline-cron' }
  expect(replan(plan, compiled, nextCron + 5000)).toMatchObject(next)
})

describe('a period that nobody has claimed yet', () => {
  it.each([
    ['before its instant', -1, nextCron],
    ['at its very instant', 0, nextCron],
    ['after it', 1, nextCron],
    ['until the next one', 5 * minute - 1, nextCron],
  ])('stands %s, when any process makes the plan again', (_, after, nextRunAt) => {
    const { plan, compiled } = samplePlan(cron)
    expect(plan.nextRunAt).toBe(nextCron)
    expect(replan(plan, compiled, nextCron + after)).toMatchObject({ nextRunAt })
  })

  it('is past once it was handled', () => {
    const { plan, compiled } = samplePlan(cron, { handledThrough: nextCron })
    expect(replan(plan, compiled, nextCron).nextRunAt).toBe(nextCron + 5 * minute)
  })
})

describe('hints of planners', () => {
  const by = (who: string): Partial<Plan> => ({
    oneShotHint: { nextRunAt: now + 9, expiresAt: now + hour, reason: null, by: who },
    intervalHint: { intervalMs: 7000, expiresAt: now + hour, reason: null, by: who },
  })

  it.each([
    ['on', 'planner:rules', true],
    ['suggest', 'planner:rules', false],
    ['off', 'planner:rules', false],
    ['off', 'key:key_1', true],
    ['off', 'response', true],
  ] as const)('with planner: %s those by %s count: %s', (planner, who, counts) => {
    const { oneShotHint, intervalHint } = planned({ ...fiveMinutes, planner }, by(who))
    expect([oneShotHint !== null, intervalHint !== null]).toEqual([counts, counts])
  })

  it('go, and what somebody else gave stays', () => {
    const { oneShotHint } = by('planner:rules')
    const { intervalHint } = by('key:key_1')
    const hints = { oneShotHint: oneShotHint!, intervalHint: intervalHint! }
    const next = planned({ ...fiveMinutes, planner: 'off' }, hints)
    expect(next).toMatchObject({ oneShotHint: null, intervalHint })
  })
})

it('an endpoint whose schedule says that it is suspended has no plan', () => {
  const suspended = byCron('*/5 * * * * @policy(suspend=true)')
  expect(planned(suspended, {})).toMatchObject({ nextRunAt: null, periodId: null })
})
