import { describe, expect, it } from 'vitest'
import {
  type EndpointWithPlan,
  monthEnd,
  noSystemQuotas,
  type SystemQuotas,
  unlimited,
} from '../../src/domain/index.js'
import type { Store } from '../../src/store/index.js'
import { requestRun } from './requested-conformance.js'
import { World } from './world-conformance.js'

type Open = (quotas: SystemQuotas) => Promise<Store>

const usageOf = (store: Store) => store.system((rows) => rows.usage())

const sourcesOf = async (world: World, made: readonly EndpointWithPlan[]) =>
  (await Promise.all(made.map((each) => world.plan(each)))).map(({ source }) => source)

/** In turns of two tenants. */
async function dueOf(world: World, count: number): Promise<EndpointWithPlan[]> {
  const places = [await world.place(), await world.place()]
  const made: EndpointWithPlan[] = []
  for (let n = 0; n < count; n++) made.push(await world.due(places[n % 2]!))
  return made
}

/** What all tenants together may do. Other cases have counted already: limits are beyond that. */
export function describeSystemQuota(open: Open): void {
  const limitedTo = async (runs: number): Promise<SystemQuotas> => {
    const store = await open(noSystemQuotas)
    const used = (await usageOf(store)).runs
    await store.close()
    return { ...noSystemQuotas, runsPerMonth: used + runs }
  }

  /** A case in a world of its own, in which so many more runs may start. */
  const within =
    (runs: number, work: (world: World, quotas: SystemQuotas) => Promise<void>) =>
    async (): Promise<void> => {
      const quotas = await limitedTo(runs)
      const world = new World(await open(quotas))
      try {
        await work(world, quotas)
      } finally {
        await world.leave()
        await world.store.close()
      }
    }

  describe('the quota of runs of the whole system', () => {
    it(
      'holds endpoints of all tenants until the month ends',
      within(3, async (world, quotas) => {
        const made = await dueOf(world, 5)
        expect((await world.claim({ limit: 2 })).claimed).toHaveLength(2)
        const { claimed, now } = await world.claim()
        expect(claimed).toHaveLength(1)
        const plans = await Promise.all(made.map((each) => world.plan(each)))
        const hold = { source: 'system-quota', nextRunAt: monthEnd(now), fence: 0 }
        expect(plans.filter(({ held }) => held === null)).toMatchObject([hold, hold])
        expect((await world.claim()).claimed).toEqual([])
        expect((await usageOf(world.store)).runs).toBe(quotas.runsPerMonth)
      }),
    )

    it(
      'is never exceeded by workers that claim at once',
      within(5, async (world, quotas) => {
        const made = await dueOf(world, 20)
        const isShared = world.store.name === 'postgres'
        const others = isShared ? [await open(quotas), await open(quotas)] : []
        const stores = [world.store, ...others, world.store, ...others]
        const claims = stores.map((store, n) => {
          const claimId = `at-once-${n}-${made[0]!.endpoint.id}`
          const request = { claimId, owner: `wrk_${n}`, limit: 4, withinMs: 0, crowd: 100 }
          return store.claim(request, world.newPlanning())
        })
        const claimed = (await Promise.all(claims)).flatMap((claim) => claim.claimed)
        for (const other of others) await other.close()
        claimed.push(...(await world.claim()).claimed)
        expect(claimed).toHaveLength(5)
        const sources = await sourcesOf(world, made)
        expect(sources.filter((source) => source === 'system-quota')).toHaveLength(15)
        expect((await usageOf(world.store)).runs).toBe(quotas.runsPerMonth)
      }),
    )

    it(
      'that begins again has endpoints planned, which then run',
      within(1, async (world) => {
        const made = await world.due(await world.place(), {}, (now) => ({
          source: 'system-quota',
          nextRunAt: now - 5,
          lastRunAt: null,
        }))
        expect((await world.claim()).claimed).toEqual([])
        expect(await world.plan(made)).toMatchObject({ source: 'baseline-interval' })
        expect((await world.claimOne()).endpointId).toBe(made.endpoint.id)
      }),
    )

    it(
      'leaves that of a tenant as it is',
      within(5, async (world) => {
        const place = await world.place({ quotas: { ...unlimited, runsPerMonth: 1 } })
        const own = [await world.due(place), await world.due(place)]
        await dueOf(world, 2)
        expect((await world.claim()).claimed).toHaveLength(3)
        expect((await sourcesOf(world, own)).sort()).toEqual(['baseline-interval', 'quota'])
      }),
    )

    it(
      'refuses a run that was asked for while there was room',
      within(0, async (world) => {
        const made = await world.due(await world.place(), {}, (now) => ({
          nextRunAt: now + 60_000,
        }))
        const at = await requestRun(world, made)
        const { claimed, ended } = await world.claim()
        expect(claimed).toEqual([])
        expect(ended).toMatchObject([
          { scheduledFor: at, status: 'skipped', reason: 'system_quota' },
        ])
        const { nextRunAt, source } = made.plan
        expect(await world.plan(made)).toMatchObject({ nextRunAt, source, requested: null })
      }),
    )

    it(
      'is known where a tenant is, with what is used of it',
      within(2, async (world, quotas) => {
        const [made] = await dueOf(world, 1)
        await world.claimOne()
        const seen = await world.store.read(made!.endpoint.tenantId, async ({ system }) => ({
          quotas: system.quotas,
          runs: (await system.usage()).runs,
        }))
        expect(seen).toEqual({ quotas, runs: quotas.runsPerMonth! - 1 })
      }),
    )

    it(
      'lets those that wait for it be planned again, and nobody else',
      within(0, async (world) => {
        const made = await dueOf(world, 2)
        const place = await world.place({ quotas: { ...unlimited, runsPerMonth: 0 } })
        const other = await world.due(place)
        expect((await world.claim()).claimed).toEqual([])
        expect(await world.store.system((rows) => rows.endSystemHolds())).toBe(2)
        await world.claim()
        expect(await sourcesOf(world, made)).toEqual(['baseline-interval', 'baseline-interval'])
        // There is no more room than before, and so they wait again.
        await world.claim()
        expect(await sourcesOf(world, made)).toEqual(['system-quota', 'system-quota'])
        expect((await world.plan(other)).source).toBe('quota')
      }),
    )
  })

  describe('the usage of the whole system', () => {
    it('is counted without a quota, and stays when a tenant goes', async () => {
      const world = new World(await open(noSystemQuotas))
      const before = await usageOf(world.store)
      const { tenant, job } = await world.place()
      await world.due({ tenant, job })
      await world.claimOne()
      await world.as(tenant, (rows) => rows.tenant.count({ aiCalls: 2, aiTokens: 300 }))
      for (let gone = 1; gone > 0; ) {
        gone = await world.store.system((rows) => rows.deleteRowsOf(tenant.id, 100))
      }
      const { runs, aiCalls, aiTokens } = before
      const used = { runs: runs + 1, aiCalls: aiCalls + 2, aiTokens: aiTokens + 300 }
      expect(await usageOf(world.store)).toEqual({ ...before, ...used })
      await world.store.close()
    })
  })
}
