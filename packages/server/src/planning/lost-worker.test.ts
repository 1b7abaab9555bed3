import { formatInstant } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { sampleNow as now } from '../../test/sample-endpoint.js'
import { decide, everyMinute, heldSince, period } from './testing/decided-claim.js'

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
      replaces: 'running',
    })
    expect(decision.plan).toMatchObject({
      fence: 3,
      held: { deliveries: deliveries + 1, leaseUntil: now + 60_000 },
    })
    expect(decision.ended).toEqual([])
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
