import { describe, expect } from 'vitest'
import type { EndpointWithPlan, Run, Tenant } from '../../src/domain/index.js'
import type { Pruned } from '../../src/store/index.js'
import { sampleRun } from '../sample-endpoint.js'
import { sampleSession } from './history-conformance.js'
import { type Check, hour, type World } from './world-conformance.js'

const day = 24 * hour

const prune = (world: World, tenant: Tenant, limit = 1000): Promise<Pruned> =>
  world.store.system((rows) => rows.prune(tenant, limit))

export async function insertRuns(
  world: World,
  { endpoint }: EndpointWithPlan,
  ages: readonly number[],
  change: Partial<Run> = {},
): Promise<void> {
  const { tenantId, id: endpointId } = endpoint
  await world.as({ id: tenantId }, async (rows) => {
    for (const age of ages) {
      const run = sampleRun(rows.now - age, { endpointId, tenantId, ...change })
      expect(await rows.runs.insert(run)).toBe(true)
    }
  })
}

export function describeRetention(check: Check): void {
  describe('retention', () => {
    check('removes runs by age, in bounded batches, the oldest first', async (world) => {
      const retention = { runDays: 10, runsPerEndpoint: 1000, bodyDays: 1 }
      const place = await world.place({ retention })
      const made = await world.endpoint(place)
      await insertRuns(
        world,
        made,
        [5, 11, 12, 13, 14, 15].map((days) => days * day),
      )
      expect(await prune(world, place.tenant, 2)).toEqual({ runs: 2, bodies: 0, others: 0 })
      expect(await world.runs(made)).toHaveLength(4)
      const now = await world.now()
      const [oldest] = await world.runs(made)
      expect(now - oldest!.scheduledFor).toBeLessThan(14 * day)
      expect((await prune(world, place.tenant)).runs).toBe(3)
      expect((await prune(world, place.tenant)).runs).toBe(0)
      expect(await world.runs(made)).toHaveLength(1)
    })

    check('leaves alone what has not ended, and other tenants', async (world) => {
      const retention = { runDays: 1, runsPerEndpoint: 1, bodyDays: 1 }
      const place = await world.place({ retention })
      const foreign = await world.place({ retention })
      const made = await world.endpoint(place)
      const other = await world.endpoint(foreign)
      await insertRuns(world, made, [5 * day], { status: 'running' })
      await insertRuns(world, made, [6 * day], { status: 'pending' })
      await insertRuns(world, made, [0])
      await insertRuns(world, other, [5 * day, 6 * day])
      expect(await prune(world, place.tenant)).toEqual({ runs: 0, bodies: 0, others: 0 })
      expect(await world.runs(made)).toHaveLength(3)
      expect(await world.runs(other)).toHaveLength(2)
    })

    check('removes bodies sooner than runs', async (world) => {
      const retention = { runDays: 10, runsPerEndpoint: 10, bodyDays: 2 }
      const place = await world.place({ retention })
      const old = await world.due(place, {}, (now) => ({ nextRunAt: now - 3 * day }))
      const young = await world.due(place)
      const body = new TextEncoder().encode('kept for a while')
      const response = { httpStatus: 200, headers: {}, truncated: false, body }
      const { claimed } = await world.claim()
      for (const run of claimed) await world.recordOne(run, { response })
      expect(await prune(world, place.tenant)).toEqual({ runs: 0, bodies: 1, others: 0 })
      expect(await prune(world, place.tenant)).toEqual({ runs: 0, bodies: 0, others: 0 })
      const bodyOf = async (made: EndpointWithPlan) => {
        const [run] = await world.runs(made)
        return world.as(place.tenant, (rows) => rows.runs.body(run!))
      }
      expect(await bodyOf(old)).toBeNull()
      expect(Buffer.from((await bodyOf(young))!).toString()).toBe('kept for a while')
    })

    check('removes bodies that come after others of their day were removed', async (world) => {
      const retention = { runDays: 10, runsPerEndpoint: 10, bodyDays: 0 }
      const place = await world.place({ retention })
      await world.due(place, {}, (now) => ({ nextRunAt: now - hour }))
      const { claimed } = await world.claim()
      expect((await prune(world, place.tenant)).bodies).toBe(0)
      const body = new TextEncoder().encode('late')
      const response = { httpStatus: 200, headers: {}, truncated: false, body }
      for (const run of claimed) await world.recordOne(run, { response })
      expect((await prune(world, place.tenant)).bodies).toBe(1)
    })

    check('removes planner sessions by age', async (world) => {
      const retention = { runDays: 2, runsPerEndpoint: 10, bodyDays: 2 }
      const tenant = await world.tenant({ retention })
      const now = await world.now()
      const kept = sampleSession(tenant, now - day)
      await world.as(tenant, async (rows) => {
        await rows.sessions.append(kept)
        await rows.sessions.append(sampleSession(tenant, now - 3 * day))
        await rows.sessions.append(sampleSession(tenant, now - 4 * day))
      })
      expect(await prune(world, tenant, 1)).toEqual({ runs: 0, bodies: 0, others: 1 })
      expect(await prune(world, tenant)).toEqual({ runs: 0, bodies: 0, others: 1 })
      const { items } = await world.as(tenant, (rows) =>
        rows.sessions.list({ limit: 5, after: null }),
      )
      expect(items).toEqual([kept])
    })

    check('lets a settled claim be forgotten after a while', async (world) => {
      const place = await world.place()
      await world.due(place)
      const { claimed, now } = await world.claim({ claimId: 'kept' })
      await world.store.system((rows) => rows.pruneTraces(now, 1000))
      const adopted = (await world.store.settleClaim('kept', world.planning)).claimed
      expect(adopted).toHaveLength(claimed.length)
      await world.store.system((rows) => rows.pruneTraces(now + 1, 1000))
      expect((await world.store.settleClaim('kept', world.planning)).claimed).toEqual([])
    })
  })
}
