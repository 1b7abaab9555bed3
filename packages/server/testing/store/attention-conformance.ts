import { describe, expect } from 'vitest'
import type { ClaimedRun } from '../../src/store/index.js'
import { type Check, outcomeOf, type World } from './world-conformance.js'

const take = (world: World, limit = 100) => world.store.system((rows) => rows.takeAttention(limit))

export function describeAttention(check: Check): void {
  describe('attention', () => {
    check('is asked for by a failure and by a recovery, and taken once', async (world) => {
      const place = await world.place()
      const failing = await world.due(place)
      const back = await world.due(place, {}, { failureCount: 2, lastStatus: 'failure' })
      const well = await world.due(place)
      const { claimed } = await world.claim()
      expect(claimed).toHaveLength(3)
      await world.record(
        ...claimed.map((run) =>
          outcomeOf(run, {
            status: run.endpointId === failing.endpoint.id ? 'timeout' : 'success',
          }),
        ),
      )
      const tenantId = place.tenant.id
      const asked = await take(world)
      expect(asked).toHaveLength(2)
      expect(asked).toContainEqual({ tenantId, endpointId: failing.endpoint.id, why: 'failure' })
      expect(asked).toContainEqual({ tenantId, endpointId: back.endpoint.id, why: 'recovery' })
      expect(asked.map(({ endpointId }) => endpointId)).not.toContain(well.endpoint.id)
      expect(await take(world)).toEqual([])
    })

    check('of one endpoint is asked for once, with the latest reason', async (world) => {
      const place = await world.place()
      const { endpoint } = await world.due(place)
      const run = await world.claimOne()
      await world.recordOne(run, { status: 'failure' })
      const again = await world.plan({ endpoint } as never)
      await world.as(place.tenant, (rows) =>
        rows.plans.put({ ...again, nextRunAt: rows.now - 5, source: 'ai-oneshot' }),
      )
      await world.recordOne(await world.claimOne(), { status: 'success' })
      expect(await take(world)).toEqual([
        { tenantId: place.tenant.id, endpointId: endpoint.id, why: 'recovery' },
      ])
    })

    check('that is asked for again keeps its place before what came later', async (world) => {
      const place = await world.place()
      const made = [await world.due(place), await world.due(place)]
      const { claimed } = await world.claim()
      const fail = async (run: ClaimedRun): Promise<void> => {
        const { now } = await world.record(outcomeOf(run, { status: 'failure' }))
        await world.pass(now)
      }
      for (const run of claimed) await fail(run)
      const first = made.find(({ endpoint }) => endpoint.id === claimed[0]!.endpointId)!
      const plan = await world.plan(first)
      await world.as(place.tenant, (rows) =>
        rows.plans.put({ ...plan, nextRunAt: rows.now - 5, source: 'ai-oneshot' }),
      )
      await fail(await world.claimOne())
      expect(await take(world, 1)).toMatchObject([{ endpointId: first.endpoint.id }])
    })

    check('is taken by one of many at the same time, the oldest first', async (world) => {
      const place = await world.place()
      for (let n = 0; n < 12; n++) await world.due(place)
      const { claimed } = await world.claim()
      for (const run of claimed) {
        const { now } = await world.record(outcomeOf(run, { status: 'failure' }))
        await world.pass(now)
      }
      const first = (await take(world, 2)).map(({ endpointId }) => endpointId).sort()
      expect(first).toEqual(
        claimed
          .slice(0, 2)
          .map(({ endpointId }) => endpointId)
          .sort(),
      )
      const taken = (await Promise.all([take(world, 5), take(world, 5), take(world, 5)])).flat()
      taken.push(...(await take(world)))
      expect(taken).toHaveLength(10)
      expect(new Set(taken.map(({ endpointId }) => endpointId)).size).toBe(10)
    })
  })
}
