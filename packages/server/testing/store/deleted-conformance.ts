import { describe, expect } from 'vitest'
import type { RunFilter } from '../../src/store/index.js'
import { everyPage } from './page-conformance.js'
import { insertRuns } from './retention-conformance.js'
import { type Check, hour, type Place, type World } from './world-conformance.js'

const runsBy = async (world: World, { tenant }: Place, filter: RunFilter): Promise<string[]> => {
  const found = await world.store.read(tenant.id, (rows) =>
    everyPage(3, (page) => rows.runs.list({ ...page, ...filter })),
  )
  return found.map(({ endpointId }) => endpointId)
}

export function describeDeleted(check: Check): void {
  describe('endpoints that were deleted', () => {
    check('leave their runs to be found by their job', async (world) => {
      const place = await world.place()
      const { id: jobId } = place.job
      const [gone, kept] = [await world.endpoint(place), await world.endpoint(place)]
      await insertRuns(world, gone, [hour, 3 * hour], { source: 'manual' })
      await insertRuns(world, kept, [2 * hour])
      await world.as(place.tenant, (rows) => rows.endpoints.delete(gone.endpoint.id))
      const [goneId, keptId] = [gone.endpoint.id, kept.endpoint.id]
      expect(await runsBy(world, place, { jobId })).toEqual([goneId, keptId, goneId])
      expect(await runsBy(world, place, { jobId, source: 'manual' })).toEqual([goneId, goneId])
      expect(await runsBy(world, place, { jobId, endpointId: goneId })).toEqual([goneId, goneId])
      const elsewhere = await world.job(place.tenant)
      expect(await runsBy(world, place, { jobId: elsewhere.id })).toEqual([])
      expect(await runsBy(world, await world.place(), { jobId })).toEqual([])
    })

    check('leave their runs to be found, also with many and with their job', async (world) => {
      const place = await world.place()
      const { id: jobId } = place.job
      for (let n = 0; n < 40; n++) {
        const made = await world.endpoint(place)
        await insertRuns(world, made, [n * hour])
        if (n < 20) await world.as(place.tenant, (rows) => rows.endpoints.delete(made.endpoint.id))
      }
      expect(await runsBy(world, place, { jobId })).toHaveLength(40)
      await world.as(place.tenant, (rows) => rows.jobs.delete(jobId))
      expect(await runsBy(world, place, { jobId })).toHaveLength(40)
    })

    check('are forgotten together with their runs', async (world) => {
      const retention = { runDays: 0, runsPerEndpoint: 10, bodyDays: 0 }
      const place = await world.place({ retention })
      const [ran, idle] = [await world.endpoint(place), await world.endpoint(place)]
      await insertRuns(world, ran, [hour])
      const at = await world.as(place.tenant, async (rows) => {
        for (const { endpoint } of [ran, idle]) await rows.endpoints.delete(endpoint.id)
        return rows.now
      })
      await world.pass(at)
      const prune = () => world.store.system((rows) => rows.prune(place.tenant, 1000))
      expect(await prune()).toEqual({ runs: 1, bodies: 0, others: 1 })
      expect(await prune()).toEqual({ runs: 0, bodies: 0, others: 0 })
    })
  })
}
