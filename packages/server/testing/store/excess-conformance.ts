import { describe, expect } from 'vitest'
import type { EndpointWithPlan, Run, Tenant } from '../../src/domain/index.js'
import type { ExcessBounds, ExcessPruned } from '../../src/store/index.js'
import { insertRuns } from './retention-conformance.js'
import { type Check, hour, type Place, type World } from './world-conformance.js'

const keep = 3
const retention = { runDays: 10, runsPerEndpoint: keep, bodyDays: 1 }
const plenty: ExcessBounds = { endpoints: 1000, runs: 1000 }

const step = (world: World, tenant: Tenant, most: Partial<ExcessBounds> = {}) =>
  world.store.system((rows) => rows.pruneExcess(tenant, { ...plenty, ...most }))

/** To the end of a pass, wherever it stands. */
async function pass(
  world: World,
  tenant: Tenant,
  most: Partial<ExcessBounds>,
): Promise<ExcessPruned[]> {
  const steps: ExcessPruned[] = []
  while (steps.length < 100) {
    steps.push(await step(world, tenant, most))
    if (steps.at(-1)!.isPassEnd) return steps
  }
  throw new Error('the pass does not end')
}

/** Endpoints with as many runs that have ended, an hour between them, in the order of ids. */
async function withRuns(
  world: World,
  place: Place,
  counts: readonly number[],
): Promise<EndpointWithPlan[]> {
  const made: EndpointWithPlan[] = []
  for (const _ of counts) made.push(await world.endpoint(place))
  made.sort((a, b) => (a.endpoint.id < b.endpoint.id ? -1 : 1))
  for (const [n, count] of counts.entries()) await insertRuns(world, made[n]!, hours(count))
  return made
}

const hours = (count: number, from = 1) =>
  Array.from({ length: count }, (_, index) => (from + index) * hour)

const countsOf = async (world: World, made: readonly EndpointWithPlan[]): Promise<number[]> => {
  const counts: number[] = []
  for (const one of made) counts.push((await world.runs(one)).length)
  return counts
}

/** The newest are kept, whatever became of them, and of the others what has not ended. */
const kept = (runs: readonly Run[]): Run[] =>
  runs.filter(
    ({ status }, index) =>
      index >= runs.length - keep || status === 'pending' || status === 'running',
  )

export function describeExcess(check: Check): void {
  describe('retention by number', () => {
    check('keeps the newest runs of each endpoint, and other tenants theirs', async (world) => {
      const place = await world.place({ retention })
      const foreign = await withRuns(world, await world.place({ retention }), [5])
      const made = await withRuns(world, place, [7, 3, 0])
      const before = await world.runs(made[0]!)
      const all = { runs: 4, endpoints: 3, isPassEnd: true }
      expect(await step(world, place.tenant)).toEqual(all)
      expect(await world.runs(made[0]!)).toEqual(before.slice(-keep))
      expect(await step(world, place.tenant)).toEqual({ ...all, runs: 0 })
      expect(await countsOf(world, [...made, ...foreign])).toEqual([3, 3, 0, 5])
    })

    check('finds nothing to do for a tenant that was removed meanwhile', async (world) => {
      const { tenant } = await world.place({ retention })
      while ((await world.store.system((rows) => rows.deleteRowsOf(tenant.id, 100))) > 0);
      await world.store.system((rows) => rows.deleteTenant(tenant.id))
      expect(await step(world, tenant)).toEqual({ runs: 0, endpoints: 0, isPassEnd: true })
    })

    check('looks at a bounded number of endpoints, and goes on behind them', async (world) => {
      const place = await world.place({ retention })
      const made = await withRuns(world, place, [4, 4, 4, 4, 4, 4, 4])
      const steps = await pass(world, place.tenant, { endpoints: 3 })
      expect(steps).toEqual([
        { runs: 3, endpoints: 3, isPassEnd: false },
        { runs: 3, endpoints: 3, isPassEnd: false },
        { runs: 1, endpoints: 1, isPassEnd: true },
      ])
      expect(await countsOf(world, made)).toEqual(Array(7).fill(keep))
      await insertRuns(world, made[0]!, [0])
      const again = await pass(world, place.tenant, { endpoints: 3 })
      expect(again.map(({ runs }) => runs)).toEqual([1, 0, 0])
    })

    check('removes a bounded number of runs, the oldest first', async (world) => {
      const place = await world.place({ retention })
      const made = await withRuns(world, place, [4, 8, 4])
      const before = await world.runs(made[1]!)
      const first = await step(world, place.tenant, { runs: 3 })
      expect(first).toEqual({ runs: 3, endpoints: 1, isPassEnd: false })
      expect(await world.runs(made[1]!)).toEqual(before.slice(2))
      const steps = await pass(world, place.tenant, { runs: 3 })
      expect(steps.map(({ runs }) => runs)).toEqual([3, 1])
      expect(await countsOf(world, made)).toEqual([keep, keep, keep])
    })

    check('does in many steps what the rule says of all endpoints', async (world) => {
      const place = await world.place({ retention })
      const made = await withRuns(world, place, [0, 9, 2, 3, 4, 12, 0, 5, 3, 6, 1])
      for (const one of [made[1]!, made[7]!]) {
        await insertRuns(world, one, hours(2, 50), { status: 'running' })
        await insertRuns(world, one, [0], { status: 'pending' })
        await insertRuns(world, one, hours(2, 60))
      }
      const wanted: Run[][] = []
      for (const one of made) wanted.push(kept(await world.runs(one)))
      const steps = await pass(world, place.tenant, { endpoints: 2, runs: 4 })
      expect(Math.max(...steps.map(({ runs }) => runs))).toBe(4)
      expect(Math.max(...steps.map(({ endpoints }) => endpoints))).toBe(2)
      for (const [n, one] of made.entries()) expect(await world.runs(one)).toEqual(wanted[n])
    })

    check('goes on where it was after a step that failed', async (world) => {
      const place = await world.place({ retention })
      const made = await withRuns(world, place, [4, 4, 4, 4])
      const most = { ...plenty, endpoints: 2 }
      await step(world, place.tenant, most)
      const failed = world.store.system(async (rows) => {
        expect(await rows.pruneExcess(place.tenant, most)).toMatchObject({ runs: 2 })
        throw new Error('died')
      })
      await expect(failed).rejects.toThrow('died')
      expect(await countsOf(world, made)).toEqual([3, 3, 4, 4])
      const steps = await pass(world, place.tenant, most)
      expect(steps.map(({ runs, endpoints }) => [runs, endpoints])).toEqual([
        [2, 2],
        [0, 0],
      ])
      expect(await countsOf(world, made)).toEqual([3, 3, 3, 3])
    })

    check('bears endpoints that come and go between steps', async (world) => {
      const place = await world.place({ retention })
      const [early, ...made] = await withRuns(world, place, [5, 5, 5, 5, 5])
      const remove = ({ endpoint }: EndpointWithPlan) =>
        world.as(place.tenant, (rows) => rows.endpoints.delete(endpoint.id))
      const { endpoint, plan } = early!
      await remove(early!)
      expect(await step(world, place.tenant, { endpoints: 2 })).toMatchObject({ runs: 4 })
      // The one it stands at goes, and so does the next; one comes back behind its back.
      await remove(made[1]!)
      await remove(made[2]!)
      await world.as(place.tenant, (rows) => rows.endpoints.insert(endpoint, plan))
      const [late] = await withRuns(world, place, [6])
      const steps = await pass(world, place.tenant, { endpoints: 2 })
      expect(steps.map(({ runs }) => runs).reduce((a, b) => a + b)).toBe(2 + 3)
      expect(await countsOf(world, [early!, ...made, late!])).toEqual([5, 3, 3, 5, 3, 3])
      await pass(world, place.tenant, { endpoints: 2 })
      expect(await countsOf(world, [early!, ...made, late!])).toEqual([3, 3, 3, 5, 3, 3])
    })

    check('is done once by several that sweep at the same time', async (world) => {
      const place = await world.place({ retention })
      const made = await withRuns(world, place, [30, 4, 0, 9, 17, 3, 5])
      const sweeps = Array.from({ length: 4 }, () =>
        pass(world, place.tenant, { endpoints: 2, runs: 5 }),
      )
      const steps = (await Promise.all(sweeps)).flat()
      // Who came last may have begun a pass of its own.
      await pass(world, place.tenant, { endpoints: 2, runs: 5 })
      const removed = steps.reduce((sum, { runs }) => sum + runs, 0)
      expect(removed).toBe(27 + 1 + 6 + 14 + 2)
      expect(await countsOf(world, made)).toEqual([3, 3, 0, 3, 3, 3, 3])
    })
  })
}
