import { describe, expect } from 'vitest'
import type { EndpointDefinition, EndpointWithPlan, HeldRun } from '../../src/domain/index.js'
import { byCron, byInterval, sampleRun } from '../sample-endpoint.js'
import { type Check, hour, minute, outcomeOf, type World } from './world-conformance.js'

const fence = 5

/** An endpoint whose run began ten minutes ago, and whose worker is lost since its lease ended. */
async function lost(
  world: World,
  change: Partial<EndpointDefinition> = {},
  holding: Partial<HeldRun> & { readonly leaseAgeMs?: number } = {},
): Promise<EndpointWithPlan> {
  const { leaseAgeMs = minute, ...rest } = holding
  const place = await world.place()
  const made = await world.endpoint(place, { ...byInterval(hour), ...change }, (now) => {
    const scheduledFor = now - 10 * minute
    const source = 'baseline-interval'
    const held: HeldRun = {
      scheduledFor,
      source,
      leaseUntil: now - leaseAgeMs,
      deliveries: 1,
      ...rest,
    }
    const handled = { nextRunAt: held.scheduledFor, handledThrough: held.scheduledFor }
    return { held, fence, ...handled, source: held.source as never, periodId: 'the period' }
  })
  const { scheduledFor, source } = made.plan.held!
  const { id: endpointId, tenantId } = made.endpoint
  const open = { startedAt: null, endedAt: null, response: null, owner: 'wrk_dead' }
  const run = { endpointId, tenantId, source, periodId: 'the period', fence }
  const row = sampleRun(scheduledFor, { ...open, ...run, status: 'running', attempts: 0 })
  await world.as(place.tenant, (rows) => rows.runs.insert(row))
  return made
}

export function describeLoss(check: Check): void {
  describe('a lost worker', () => {
    check(
      'leaves a run that ends as cancelled, and an endpoint that is planned again',
      async (world) => {
        const made = await lost(world)
        const { scheduledFor } = made.plan.held!
        const { claimed, ended, now } = await world.claim()
        expect(claimed).toEqual([])
        const { endpointId, tenantId } = made.plan
        const end = { status: 'cancelled', reason: 'worker_lost' }
        const periodId = 'the period'
        expect(ended).toMatchObject([{ endpointId, tenantId, scheduledFor, periodId, ...end }])
        expect(await world.runs(made)).toMatchObject([
          { scheduledFor, ...end, endedAt: now, error: { code: 'worker_lost' } },
        ])
        expect(await world.plan(made)).toMatchObject({
          held: null,
          fence: fence + 1,
          failureCount: 0,
          lastStatus: 'cancelled',
          lastRunAt: scheduledFor,
          nextRunAt: scheduledFor + hour,
          source: 'baseline-interval',
        })
        const usage = await world.as({ id: tenantId }, (rows) => rows.tenant.usage())
        expect(usage.runs).toBe(0)
      },
    )

    check('is waited for until shortly after its lease', async (world) => {
      const made = await lost(world, {}, { leaseAgeMs: -minute })
      const { claimed, ended, nextWakeAt } = await world.claim()
      expect({ claimed, ended }).toEqual({ claimed: [], ended: [] })
      expect(nextWakeAt).toBe(made.plan.held!.leaseUntil + 2000)
      const { endpointId, tenantId } = made.plan
      const { scheduledFor } = made.plan.held!
      const run = { endpointId, tenantId, scheduledFor, fence, overlapping: false, attempts: 0 }
      expect(await world.recordOne(run as never)).toBe('recorded')
    })

    check('can write nothing afterwards', async (world) => {
      const made = await lost(world)
      await world.claim()
      const [runs, plan] = [await world.runs(made), await world.plan(made)]
      const { endpointId, tenantId } = made.plan
      const { scheduledFor } = made.plan.held!
      const run = { endpointId, tenantId, scheduledFor, fence, overlapping: false, attempts: 0 }
      for (const status of ['success', 'failure', 'released'] as const) {
        const { answers } = await world.record(outcomeOf(run as never, { status }))
        expect(answers).toEqual(['fenced'])
      }
      expect(await world.runs(made)).toEqual(runs)
      expect(await world.plan(made)).toEqual(plan)
    })

    check('has its run delivered again where the endpoint asks for that', async (world) => {
      const made = await lost(world, { onWorkerLoss: 'redeliver' })
      const { scheduledFor } = made.plan.held!
      const { claimed, ended, now } = await world.claim({ owner: 'wrk_2' })
      const leaseUntil = now + made.endpoint.definition.maxExecutionTimeMs
      const periodId = 'the period'
      const again = { scheduledFor, periodId, fence: fence + 1, attempts: 1, leaseUntil }
      expect(claimed).toMatchObject([again])
      expect(ended).toEqual([])
      expect(await world.runs(made)).toMatchObject([
        { status: 'running', owner: 'wrk_2', fence: fence + 1, attempts: 1, claimedAt: now },
      ])
      const held = { scheduledFor, leaseUntil, deliveries: 2, source: 'baseline-interval' }
      expect((await world.plan(made)).held).toEqual(held)
      expect(await world.recordOne({ ...claimed[0]!, fence })).toBe('fenced')
      expect(await world.recordOne(claimed[0]!)).toBe('recorded')
      expect(await world.runs(made)).toMatchObject([{ status: 'success', attempts: 2 }])
    })

    check('has its run delivered again five times at most', async (world) => {
      const redeliver = { onWorkerLoss: 'redeliver' } as const
      const fourth = await lost(world, redeliver, { deliveries: 4 })
      const fifth = await lost(world, redeliver, { deliveries: 5 })
      const { claimed, ended } = await world.claim()
      expect(claimed).toMatchObject([{ endpointId: fourth.endpoint.id, attempts: 4 }])
      expect(ended).toMatchObject([{ endpointId: fifth.endpoint.id, reason: 'worker_lost' }])
    })

    check('does not have a run delivered again that was cancelled meanwhile', async (world) => {
      const made = await lost(world, { onWorkerLoss: 'redeliver' })
      const { endpointId, tenantId } = made.plan
      const key = { endpointId, scheduledFor: made.plan.held!.scheduledFor }
      const end = { status: 'cancelled', reason: 'user', at: 5 } as const
      await world.as({ id: tenantId }, (rows) => rows.runs.end(key, end))
      expect((await world.claim()).claimed).toEqual([])
      expect(await world.runs(made)).toMatchObject([{ status: 'cancelled', reason: 'user' }])
      expect((await world.plan(made)).held).toBeNull()
    })

    check('leaves a run as it ended that was cancelled meanwhile', async (world) => {
      const made = await lost(world)
      const key = { endpointId: made.endpoint.id, scheduledFor: made.plan.held!.scheduledFor }
      const end = { status: 'cancelled', reason: 'user', at: 5 } as const
      await world.as({ id: made.endpoint.tenantId }, (rows) => rows.runs.end(key, end))
      const ended = await world.runs(made)
      await world.claim()
      expect(await world.runs(made)).toEqual(ended)
      expect((await world.plan(made)).held).toBeNull()
    })

    check('has the periods written down that came while it held the endpoint', async (world) => {
      const at = Math.floor((await world.now()) / minute) * minute - 5 * minute
      const holding = { scheduledFor: at, source: 'baseline-cron' } as const
      const made = await lost(world, byCron('* * * * *'), holding)
      const { ended, now } = await world.claim()
      const count = Math.floor((now - at) / minute)
      const rows = ended.map(({ scheduledFor, reason }) => [scheduledFor, reason])
      expect(rows).toEqual([
        [at, 'worker_lost'],
        ...Array.from({ length: count }, (_, n) => [at + (n + 1) * minute, 'concurrency']),
      ])
      expect(await world.runs(made)).toHaveLength(count + 1)
      expect(await world.plan(made)).toMatchObject({ handledThrough: at + count * minute })
    })
  })
}
