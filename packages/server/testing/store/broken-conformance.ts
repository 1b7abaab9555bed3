import { describe, expect } from 'vitest'
import type { EndpointWithPlan } from '../../src/domain/index.js'
import { byCron, byInterval } from '../sample-endpoint.js'
import { requestRun } from './requested-conformance.js'
import { type Check, hour, type Place, type World } from './world-conformance.js'

/** As a migration or an older program may leave it: a schedule that nobody can follow. */
async function broken(world: World, place: Place): Promise<EndpointWithPlan> {
  const made = await world.due(place, byInterval(hour))
  const definition = { ...made.endpoint.definition, ...byCron('no schedule at all') }
  await world.as(place.tenant, (rows) => rows.endpoints.update({ ...made.endpoint, definition }))
  return made
}

export function describeBroken(check: Check): void {
  describe('an endpoint that can not be planned', () => {
    check('does not hold up the others, and is tried again later', async (world) => {
      const place = await world.place()
      const before = await world.due(place)
      const bad = await broken(world, place)
      const after = await world.due(place)
      const { claimed, now } = await world.claim()
      expect(claimed.map(({ endpointId }) => endpointId).sort()).toEqual(
        [before.endpoint.id, after.endpoint.id].sort(),
      )
      expect(world.broken).toEqual([bad.endpoint.id])
      const aside = { nextRunAt: now + 300_000, source: 'paused', held: null }
      expect(await world.plan(bad)).toMatchObject(aside)
      expect(await world.runs(bad)).toEqual([])
      expect((await world.claim()).claimed).toEqual([])
      expect(world.broken).toHaveLength(1)
    })

    check('goes on once it is mended', async (world) => {
      const place = await world.place()
      const bad = await broken(world, place)
      await world.claim()
      await world.as(place.tenant, async (rows) => {
        const { plan } = (await rows.endpoints.get(bad.endpoint.id))!
        await rows.endpoints.update({ ...bad.endpoint, version: 2 })
        await rows.plans.put({ ...plan, version: 2, nextRunAt: rows.now })
      })
      await world.claim()
      const run = await world.claimOne()
      expect(run).toMatchObject({ endpointId: bad.endpoint.id, version: 2 })
      expect(await world.recordOne(run)).toBe('recorded')
    })

    check('ends a run that was asked for, and one whose worker was lost', async (world) => {
      const place = await world.place()
      const asked = await broken(world, place)
      const held = await world.due(place)
      const at = await requestRun(world, asked)
      const run = (await world.claim({ limit: 1 })).claimed
      expect(run).toEqual([])
      expect(await world.runs(asked)).toMatchObject([
        { scheduledFor: at, status: 'cancelled', reason: 'unplannable' },
      ])
      await world.claimOne()
      await world.as(place.tenant, async (rows) => {
        const { plan } = (await rows.endpoints.get(held.endpoint.id))!
        const definition = { ...held.endpoint.definition, ...byCron('broken since') }
        await rows.endpoints.update({ ...held.endpoint, version: 2, definition })
        const lease = { ...plan.held!, leaseUntil: rows.now - 60_000 }
        await rows.plans.put({ ...plan, version: 2, held: lease })
      })
      await world.claim()
      expect(await world.runs(held)).toMatchObject([{ status: 'cancelled', reason: 'worker_lost' }])
      expect((await world.plan(held)).held).toBeNull()
    })

    check('still has its outcome written', async (world) => {
      const place = await world.place()
      const made = await world.due(place)
      const run = await world.claimOne()
      const definition = { ...made.endpoint.definition, ...byCron('broken since') }
      await world.as(place.tenant, async (rows) => {
        const { plan } = (await rows.endpoints.get(made.endpoint.id))!
        await rows.endpoints.update({ ...made.endpoint, version: 2, definition })
        await rows.plans.put({ ...plan, version: 2 })
      })
      expect(await world.recordOne(run)).toBe('recorded')
      expect(await world.runs(made)).toMatchObject([{ status: 'success' }])
      expect(await world.plan(made)).toMatchObject({ held: null, source: 'paused' })
      expect(world.broken).toEqual([made.endpoint.id])
    })
  })
}
