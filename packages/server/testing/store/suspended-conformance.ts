import { describe, expect } from 'vitest'
import type { RunKey } from '../../src/domain/index.js'
import { byInterval } from '../sample-endpoint.js'
import { requestRun } from './requested-conformance.js'
import { insertRuns } from './retention-conformance.js'
import { type Check, hour, type Place, type World } from './world-conformance.js'

const byId = (a: RunKey, b: RunKey): number => (a.endpointId < b.endpointId ? -1 : 1)

const suspend = (world: World, { tenant, job }: Place, suspended: boolean) =>
  world.as(tenant, async (rows) => {
    if (suspended) await rows.plans.suspend(job.id, 'paused')
    else await rows.plans.unsuspend(job.id)
  })

export function describeSuspended(check: Check): void {
  describe('a suspended job', () => {
    check('wakes none of its endpoints, and others as ever', async (world) => {
      const place = await world.place()
      const other = { ...place, job: await world.job(place.tenant) }
      const made = await world.due(place)
      const free = await world.due(other)
      await suspend(world, place, true)
      const { claimed, nextWakeAt } = await world.claim()
      expect(claimed.map(({ endpointId }) => endpointId)).toEqual([free.endpoint.id])
      expect(nextWakeAt).toBe(claimed[0]!.leaseUntil + 2000)
      expect(await world.plan(made)).toMatchObject({ suspended: true, held: null })
    })

    check('is planned again by workers when it goes on', async (world) => {
      const place = await world.place()
      const made = await world.due(place, byInterval(hour), (now) => ({ lastRunAt: now - 60_000 }))
      await suspend(world, place, true)
      await suspend(world, place, false)
      expect((await world.claim()).claimed).toEqual([])
      expect(await world.plan(made)).toMatchObject({
        suspended: false,
        source: 'baseline-interval',
        nextRunAt: made.plan.lastRunAt! + hour,
      })
    })

    check('lets a run under way end, and plans nothing after it', async (world) => {
      const place = await world.place()
      const made = await world.due(place)
      const run = await world.claimOne()
      await suspend(world, place, true)
      expect((await world.plan(made)).held).not.toBeNull()
      expect(await world.recordOne(run)).toBe('recorded')
      expect(await world.plan(made)).toMatchObject({ held: null, nextRunAt: null })
      expect(await world.claim()).toMatchObject({ claimed: [], nextWakeAt: null })
      await suspend(world, place, false)
      await world.claim()
      expect(await world.plan(made)).toMatchObject({
        nextRunAt: run.scheduledFor + 5 + hour,
        source: 'baseline-interval',
      })
    })

    check('leaves runs for later that were asked for, or have ended', async (world) => {
      const place = await world.place()
      const made = await world.endpoint(place)
      await insertRuns(world, made, [-hour], { status: 'pending' })
      await insertRuns(world, made, [-2 * hour], { status: 'failure' })
      const before = await world.runs(made)
      const taken = await world.as(place.tenant, (rows) =>
        rows.plans.suspend(place.job.id, 'a reason'),
      )
      expect(taken).toEqual([])
      expect(await world.runs(made)).toEqual(before)
    })

    check('takes back what was claimed for later', async (world) => {
      const place = await world.place()
      const later = (now: number) => ({ nextRunAt: now + 4_000 })
      const made = await world.due(place, {}, later)
      const asked = await world.due(place, {}, later)
      const { claimed } = await world.claim({ withinMs: 5_000 })
      expect(claimed).toHaveLength(2)
      const requested = { at: claimed[0]!.scheduledFor + hour, source: 'manual' } as const
      await world.as(place.tenant, async (rows) => {
        const { plan } = (await rows.endpoints.get(asked.endpoint.id))!
        await rows.plans.put({ ...plan, requested })
      })
      const taken = await world.as(place.tenant, (rows) =>
        rows.plans.suspend(place.job.id, 'a reason'),
      )
      const keys = claimed.map(({ endpointId, scheduledFor }) => ({ endpointId, scheduledFor }))
      expect(taken.toSorted(byId)).toEqual(keys.toSorted(byId))
      for (const one of [made, asked]) {
        const plan = { held: null, fence: 2, nextRunAt: null, periodId: null, suspended: true }
        expect(await world.plan(one)).toMatchObject(plan)
        const cancelled = { status: 'cancelled', reason: 'a reason' }
        expect(await world.runs(one)).toMatchObject([cancelled])
      }
      expect((await world.claim()).nextWakeAt).toBe(requested.at)
      for (const run of claimed) expect(await world.recordOne(run)).toBe('fenced')
    })

    check('that goes on while a run is under way has its end make the plan', async (world) => {
      const place = await world.place()
      const made = await world.due(place)
      const run = await world.claimOne()
      const before = await world.plan(made)
      await suspend(world, place, true)
      await suspend(world, place, false)
      expect(await world.plan(made)).toEqual(before)
      await world.recordOne(run)
      expect((await world.plan(made)).nextRunAt).toBe(run.scheduledFor + 5 + hour)
    })

    check('lets a run go that was asked for', async (world) => {
      const place = await world.place()
      const made = await world.due(place)
      const idle = await world.due(place, {}, { pauseReason: '"requested":', pausedUntil: 5 })
      const at = await requestRun(world, made)
      await suspend(world, place, true)
      const run = await world.claimOne()
      expect(run).toMatchObject({ scheduledFor: at, source: 'manual' })
      await world.recordOne(run)
      expect(await world.claim()).toMatchObject({ claimed: [], nextWakeAt: null })
      expect(await world.runs(idle)).toEqual([])
    })

    check('leaves archived endpoints as they are', async (world) => {
      const place = await world.place()
      const archived = await world.endpoint(place, {}, { suspended: true, nextRunAt: null })
      await world.as(place.tenant, (rows) =>
        rows.endpoints.update({ ...archived.endpoint, archivedAt: rows.now }),
      )
      await suspend(world, place, true)
      await suspend(world, place, false)
      expect(await world.plan(archived)).toEqual(archived.plan)
      expect(await world.claim()).toMatchObject({ claimed: [], nextWakeAt: null })
    })
  })
}
