import { describe, expect } from 'vitest'
import type { EndpointWithPlan, RunKey } from '../../src/domain/index.js'
import { leaseGraceMs } from '../../src/scheduling/index.js'
import type { ClaimedRun } from '../../src/store/index.js'
import { byInterval, sampleRun } from '../sample-endpoint.js'
import { sampleOutcome } from '../sample-outcome.js'
import { requestRun } from './requested-conformance.js'
import { type Check, hour, sample, type World } from './world-conformance.js'

/** Brings the next run forward to a moment ago. */
async function hurry(world: World, { endpoint }: EndpointWithPlan, ageMs = 1): Promise<void> {
  await world.as({ id: endpoint.tenantId }, async (rows) => {
    const { plan } = (await rows.endpoints.get(endpoint.id))!
    const after = (plan.handledThrough ?? 0) + 1
    await rows.plans.put({ ...plan, nextRunAt: Math.max(after, rows.now - ageMs) })
  })
}

const often = { ...byInterval(hour), maxExecutionTimeMs: hour }

export function describeOverlap(check: Check): void {
  describe('runs that may overlap', () => {
    check('start beside each other when that is allowed', async (world) => {
      const place = await world.place()
      const made = await world.due(place, { ...often, concurrency: 'allow' })
      const first = await world.claimOne()
      expect(first).toMatchObject({ overlapping: true, fence: 1 })
      const plan = await world.plan(made)
      expect(plan).toMatchObject({ held: null, source: 'baseline-interval' })
      expect(plan.nextRunAt).toBeGreaterThan(plan.handledThrough!)
      await hurry(world, made)
      const second = await world.claimOne()
      expect(second.fence).toBe(2)
      expect(second.scheduledFor).toBeGreaterThan(first.scheduledFor)
      const statuses = (await world.runs(made)).map(({ status }) => status)
      expect(statuses).toEqual(['running', 'running'])
      expect(await world.recordOne(second, { status: 'failure' })).toBe('recorded')
      expect(await world.recordOne(first, { status: 'failure' })).toBe('recorded')
      expect(await world.plan(made)).toMatchObject({ failureCount: 2, lastStatus: 'failure' })
    })

    check('wait for each other when it is forbidden', async (world) => {
      const made = await world.due(await world.place(), often)
      await world.claimOne()
      await hurry(world, made)
      expect((await world.claim()).claimed).toEqual([])
      expect(await world.runs(made)).toHaveLength(1)
    })

    check('end the one before when they replace it', async (world) => {
      const place = await world.place()
      const made = await world.due(place, { ...often, concurrency: 'replace' })
      const other = await world.due(place, { ...often, concurrency: 'allow' })
      await world.claim()
      const [running] = await world.runs(made)
      await hurry(world, made)
      const aborted = new Promise<RunKey>((resolve) => {
        const stop = world.store.signals.onAbort((run) => {
          stop()
          resolve(run)
        })
      })
      const second = await world.claimOne()
      const { endpointId, scheduledFor } = running!
      expect(await aborted).toEqual({ endpointId, scheduledFor })
      const [first, next] = await world.runs(made)
      expect(first).toMatchObject({ status: 'cancelled', reason: 'replaced' })
      expect(first!.endedAt).not.toBeNull()
      expect(next).toMatchObject({ status: 'running', scheduledFor: second.scheduledFor })
      expect(await world.runs(other)).toMatchObject([{ status: 'running' }])
      const late = { ...second, scheduledFor, fence: first!.fence }
      expect(await world.recordOne(late)).toBe('fenced')
      const begun = { startedAt: scheduledFor + 5, attempts: 1 }
      expect((await world.runs(made))[0]).toEqual({ ...first, ...begun })
      expect(await world.recordOne(second)).toBe('recorded')
    })

    check('go on beside others that are replaced in the same claim', async (world) => {
      const place = await world.place()
      const replacing = await world.due(place, { ...often, concurrency: 'replace' })
      const allowing = await world.due(place, { ...often, concurrency: 'allow' })
      await world.claim()
      for (const made of [replacing, allowing]) await hurry(world, made)
      expect((await world.claim()).claimed).toHaveLength(2)
      const running = { status: 'running' }
      expect(await world.runs(allowing)).toMatchObject([running, running])
      expect(await world.runs(replacing)).toMatchObject([
        { status: 'cancelled', reason: 'replaced' },
        running,
      ])
    })

    check('leave those as they are that ended before', async (world) => {
      const made = await world.due(await world.place(), { ...often, concurrency: 'replace' })
      await world.recordOne(await world.claimOne())
      const [ended] = await world.runs(made)
      await hurry(world, made)
      const second = await world.claimOne()
      await hurry(world, made)
      await world.claimOne()
      const [first, replaced] = await world.runs(made)
      expect(first).toEqual(ended)
      expect(replaced).toMatchObject({ scheduledFor: second.scheduledFor, reason: 'replaced' })
    })

    check('end no other one when they are not started', async (world) => {
      const made = await world.due(await world.place(), { ...often, concurrency: 'replace' })
      const first = await world.claimOne()
      await hurry(world, made)
      const { endpointId, tenantId, nextRunAt } = await world.plan(made)
      const there = sampleRun(nextRunAt!, { endpointId, tenantId })
      await world.as({ id: tenantId }, (rows) => rows.runs.insert(there))
      expect((await world.claim()).claimed).toEqual([])
      expect(await world.runs(made)).toMatchObject([{ status: 'running' }, { status: 'success' }])
      expect(await world.recordOne(first)).toBe('recorded')
    })

    check('and end together count each, in the order of their coming', async (world) => {
      const made = await world.due(await world.place(), { ...often, concurrency: 'allow' })
      const first = await world.claimOne()
      await hurry(world, made)
      const second = await world.claimOne()
      const outcome = (run: ClaimedRun, status: 'failure' | 'timeout') =>
        sampleOutcome(run, run.scheduledFor, { status })
      await world.record(outcome(second, 'failure'), outcome(first, 'timeout'))
      expect(await world.plan(made)).toMatchObject({ failureCount: 2, lastStatus: 'timeout' })
    })

    check('are lost each by its own lease, which is a time to wake', async (world) => {
      const place = await world.place()
      const change = { concurrency: 'allow', maxExecutionTimeMs: 1 } as const
      const made = await world.due(place, { ...byInterval(24 * hour), ...change })
      const claim = await world.claim()
      const run = claim.claimed[0]!
      expect(claim.nextWakeAt).toBe(run.leaseUntil + leaseGraceMs)
      await world.pass(run.leaseUntil)
      expect((await world.claim()).ended).toEqual([])
      await world.pass(run.leaseUntil + leaseGraceMs)
      const { ended, nextWakeAt, now } = await world.claim()
      const { endpointId, scheduledFor, tenantId } = run
      const lost = { status: 'cancelled', reason: 'worker_lost' }
      expect(ended).toMatchObject([
        { endpointId, scheduledFor, tenantId, ...lost, wasRunning: true },
      ])
      expect(await world.runs(made)).toMatchObject([{ ...lost, endedAt: now }])
      expect(nextWakeAt).toBe((await world.plan(made)).nextRunAt)
      expect(await world.recordOne(run)).toBe('fenced')
      expect((await world.claim()).ended).toEqual([])
    })

    check('are lost a hundred at a time, those first whose lease ended first', async (world) => {
      const place = await world.place()
      const lostAfter = (ms: number) => ({ concurrency: 'allow', maxExecutionTimeMs: ms }) as const
      const last = new Set<string>()
      for (let n = 0; n < 3; n++) {
        last.add(
          (await world.due(place, { ...byInterval(24 * hour), ...lostAfter(500) })).endpoint.id,
        )
      }
      await world.as(place.tenant, async (rows) => {
        for (let n = 0; n < 100; n++) {
          const change = { name: `soon ${n}`, ...byInterval(24 * hour), ...lostAfter(1) }
          const due = { nextRunAt: rows.now - 1000, lastRunAt: rows.now - hour }
          const { endpoint, plan } = sample(place.tenant, place.job.id, rows.now, change, due)
          await rows.endpoints.insert(endpoint, plan)
        }
      })
      const { claimed } = await world.claim({ limit: 200 })
      await world.pass(Math.max(...claimed.map(({ leaseUntil }) => leaseUntil)) + leaseGraceMs)
      const { ended } = await world.claim()
      expect(ended).toHaveLength(100)
      expect(ended.filter(({ endpointId }) => last.has(endpointId))).toEqual([])
      const { ended: others } = await world.claim()
      expect(new Set(others.map(({ endpointId }) => endpointId))).toEqual(last)
    })

    check('and were asked for have a lease of their own as well', async (world) => {
      const change = { ...often, ...byInterval(24 * hour), concurrency: 'allow' } as const
      const later = (now: number) => ({ nextRunAt: now + 24 * hour })
      const made = await world.endpoint(await world.place(), change, later)
      await requestRun(world, made)
      const { claimed, nextWakeAt } = await world.claim({ claimId: 'asked for' })
      const { endpointId, scheduledFor, leaseUntil } = claimed[0]!
      expect(nextWakeAt).toBe(leaseUntil + leaseGraceMs)
      const tenant = { id: made.endpoint.tenantId }
      const open = await world.as(tenant, (rows) => rows.runs.open({ endpointId }))
      expect(open).toEqual([{ endpointId, scheduledFor }])
      const settled = await world.store.settleClaim('asked for', world.planning)
      expect(settled.claimed).toMatchObject([{ scheduledFor, leaseUntil, overlapping: true }])
    })

    check('written twice in one batch are counted once', async (world) => {
      const made = await world.due(await world.place(), { ...often, concurrency: 'allow' })
      const run = await world.claimOne()
      const { endpointId, scheduledFor, tenantId, fence, overlapping } = run
      const failed = {
        ...{ endpointId, scheduledFor, tenantId, fence, overlapping },
        status: 'failure',
        reason: null,
        startedAt: 5,
        endedAt: 6,
        attempts: 1,
        error: null,
        response: null,
      } as const
      const { answers } = await world.record(failed, failed)
      expect(answers).toEqual(['recorded', 'repeated'])
      expect(await world.plan(made)).toMatchObject({ failureCount: 1 })
    })
  })
}
