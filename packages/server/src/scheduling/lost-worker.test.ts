import { formatInstant } from '@kron/core'
import { describe, expect, it } from 'vitest'
import {
  byCron,
  byInterval,
  sampleNow as now,
  sampleId,
  samplePlan,
} from '../../testing/sample-endpoint.js'
import { decide, everyMinute, heldSince, period } from '../../testing/scheduling/decided-claim.js'
import type { Plan } from '../domain/index.js'

const minute = 60_000
/** The last full minute before `now`. */
const noon = now - 30_000

describe('a run whose worker was lost', () => {
  it('is waited for until shortly after its lease', () => {
    const lease = (leaseUntil: number) => ({ held: heldSince(noon, { leaseUntil }) })
    expect(decide(everyMinute, lease(now - 1999)).decision).toBeNull()
    expect(decide(everyMinute, lease(now - 2000)).decision).not.toBeNull()
  })

  it('ends, with the periods that came while it held the endpoint', () => {
    const since = noon - 2 * minute
    const planned = { ...period(since), held: heldSince(since), handledThrough: since, fence: 8 }
    const { decision } = decide(everyMinute, planned)
    expect(decision.start).toBeNull()
    const rows = decision.ended.map((row) => [row.scheduledFor, row.status, row.reason])
    expect(rows).toEqual([
      [since, 'cancelled', 'worker_lost'],
      [noon - minute, 'skipped', 'concurrency'],
      [noon, 'skipped', 'concurrency'],
    ])
    expect(decision.plan).toMatchObject({
      ...period(noon + minute),
      held: null,
      fence: 9,
      handledThrough: noon,
      lastRunAt: since,
      lastStatus: 'cancelled',
    })
  })

  it.each([
    ['its tenant', { runsLeft: 0 }],
    ['the whole system', { systemRunsLeft: 0 }],
  ])('is not delivered again over the quota of %s, which it would count against', (_, left) => {
    const planned = { ...period(noon), held: heldSince(noon), handledThrough: noon, fence: 2 }
    const { decision } = decide({ ...everyMinute, onWorkerLoss: 'redeliver' }, planned, left)
    expect(decision.start).toBeNull()
    expect(decision.ended).toMatchObject([{ status: 'cancelled', reason: 'worker_lost' }])
  })

  it.each([1, 2, 3, 4, 5, 6])('is delivered again when it was delivered %i times', (deliveries) => {
    const planned = {
      ...period(noon),
      held: heldSince(noon, { deliveries }),
      handledThrough: noon,
      fence: 2,
    }
    const { decision } = decide({ ...everyMinute, onWorkerLoss: 'redeliver' }, planned)
    if (deliveries >= 5) {
      expect(decision.start).toBeNull()
      return
    }
    expect(decision.start).toMatchObject({
      scheduledFor: noon,
      periodId: formatInstant(noon),
      attempts: deliveries,
      fence: 3,
      leaseUntil: now + 60_000,
      overlapping: false,
      replaces: 'running',
    })
    expect(decision.plan).toMatchObject({
      fence: 3,
      held: { deliveries: deliveries + 1, leaseUntil: now + 60_000 },
    })
    expect(decision).toMatchObject({ ended: [], replaceOthers: false })
  })

  it('is delivered again when a pause that began meanwhile is over', () => {
    const planned = { ...period(noon), held: heldSince(noon), handledThrough: noon }
    const change = { ...everyMinute, onWorkerLoss: 'redeliver' } as const
    const { decision } = decide(change, { ...planned, pausedUntil: now })
    expect(decision.start).toMatchObject({ scheduledFor: noon, replaces: 'running' })
  })

  it('ends with a row that says why', () => {
    const planned = { ...period(noon), held: heldSince(noon), handledThrough: noon }
    expect(decide(everyMinute, planned).decision.ended).toEqual([
      {
        endpointId: sampleId,
        scheduledFor: noon,
        periodId: formatInstant(noon),
        source: 'baseline-cron',
        status: 'cancelled',
        reason: 'worker_lost',
        error: { code: 'worker_lost', message: 'the worker was lost before it recorded a result' },
        wasRunning: true,
      },
    ])
  })

  it.each([
    ['of its plan', { nextRunAt: noon, periodId: 'p' }, 'baseline-cron', 'p'],
    [
      'of its time when its plan has none',
      { nextRunAt: noon, periodId: null },
      'baseline-cron',
      null,
    ],
    ['of its time when it was asked for', { nextRunAt: noon, periodId: 'p' }, 'manual', null],
    [
      'of its time when the plan is for another',
      { nextRunAt: 5, periodId: 'p' },
      'ai-oneshot',
      null,
    ],
  ] as const)('ends with the id %s', (_, planned, source, periodId) => {
    const held = heldSince(noon, { source })
    const { decision } = decide(everyMinute, { ...planned, held, handledThrough: noon })
    expect(decision.ended[0]!.periodId).toBe(periodId ?? formatInstant(noon))
  })

  it.each([
    ['archived', { suspended: true }],
    ['paused', { pausedUntil: now + minute }],
  ] as const)('is not delivered again when its endpoint is %s meanwhile', (_, change) => {
    const planned = { ...period(noon), held: heldSince(noon), handledThrough: noon, ...change }
    const { decision } = decide({ ...everyMinute, onWorkerLoss: 'redeliver' }, planned)
    expect(decision.start).toBeNull()
    expect(decision.ended).toMatchObject([{ status: 'cancelled', reason: 'worker_lost' }])
  })
})

describe('periods that came while a lost run held the endpoint', () => {
  const since = noon - 2 * minute
  const rows = (...given: Parameters<typeof decide>) =>
    decide(...given).decision.ended.map(({ scheduledFor, reason }) => [scheduledFor, reason])
  const lost = (scheduledFor: number) => [scheduledFor, 'worker_lost']
  const skipped = (scheduledFor: number) => [scheduledFor, 'concurrency']
  const holding = (change: Partial<Plan> = {}): Partial<Plan> => ({
    ...period(since),
    held: heldSince(since),
    handledThrough: since,
    ...change,
  })

  it('have no rows when the schedule did not plan the run', () => {
    expect(rows(everyMinute, holding({ source: 'ai-interval' }))).toEqual([lost(since)])
  })

  it('have no rows when the schedule gave way to an interval', () => {
    const { decision } = decide(byInterval(minute), holding({ source: 'baseline-cron' }))
    expect(decision.ended).toHaveLength(1)
    expect(decision.plan).toMatchObject({ source: 'baseline-interval', nextRunAt: now })
  })

  it('have no rows when they were handled before it was asked for', () => {
    const handled = holding({ handledThrough: noon - minute })
    expect(rows(everyMinute, handled)).toEqual([lost(since), skipped(noon)])
  })

  it('have rows up to the one that comes this very instant', () => {
    expect(rows(everyMinute, holding(), { at: noon })).toEqual([
      lost(since),
      skipped(noon - minute),
      skipped(noon),
    ])
    expect(rows(everyMinute, holding(), { at: noon - 1 })).toEqual([
      lost(since),
      skipped(noon - minute),
    ])
  })

  it('have rows also when their window was open before the run', () => {
    const hourly = byCron('0 * * * * @win(after,30m)')
    const { chosenTime } = samplePlan(hourly).compiled.job!.decide(noon)
    const asked = noon + 1000
    expect(chosenTime).toBeGreaterThan(asked)
    const held = heldSince(asked, { source: 'manual' })
    const planned = { nextRunAt: chosenTime, held, handledThrough: asked }
    expect(rows(hourly, planned, { at: chosenTime! })).toEqual([lost(asked), skipped(chosenTime!)])
  })

  it('are none where the run was the last one of its schedule', () => {
    const last = Date.UTC(2026, 2, 1, 11)
    const planned = { ...period(last), held: heldSince(last), handledThrough: last }
    const { decision } = decide(byCron('0 11 * * * @only(date=2026-03-01)'), planned)
    expect(decision.ended).toHaveLength(1)
    expect(decision.plan).toMatchObject({ nextRunAt: null, held: null })
  })
})
