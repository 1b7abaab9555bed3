import { describe, expect } from 'vitest'
import { defaultRetention, monthOf, newId, unlimited } from '../../src/domain/index.js'
import { type Check, minute, sample } from './world-conformance.js'

export function describeTenants(check: Check): void {
  describe('tenants', () => {
    check('are found as they were made, by the system and by themselves', async (world) => {
      const quotas = { ...unlimited, endpoints: 3, runsPerMonth: 1e12 }
      const retention = { runDays: 1, runsPerEndpoint: 2, bodyDays: 0 }
      const tenant = await world.tenant({ name: 'Größe & "Söhne" 🕒', quotas, retention })
      expect(await world.store.system((rows) => rows.tenant(tenant.id))).toEqual(tenant)
      expect(await world.as(tenant, (rows) => rows.tenant.get())).toEqual(tenant)
    })

    check('that do not exist are not found', async (world) => {
      const id = newId('ten', 0)
      expect(await world.store.system((rows) => rows.tenant(id))).toBeNull()
      await expect(world.as({ id }, (rows) => rows.tenant.get())).rejects.toThrow(/does not exist/)
    })

    check('are listed in the order of their ids, from where one left off', async (world) => {
      const made = [await world.tenant(), await world.tenant(), await world.tenant()]
      const ids = made.map(({ id }) => id).sort()
      await world.store.system(async (rows) => {
        const listed = (await rows.tenants(2, ids[0]!)).map(({ id }) => id)
        expect(listed).toEqual([ids[1], ids[2]])
        const all = (await rows.tenants(10_000, null)).map(({ id }) => id)
        expect(all).toEqual([...all].sort())
        expect(all).toEqual(expect.arrayContaining(ids))
      })
    })

    check('change quotas and retention one without the other', async (world) => {
      const tenant = await world.tenant()
      const quotas = { ...unlimited, requestsPerMinute: 5 }
      await world.as(tenant, (rows) => rows.tenant.update({ quotas }))
      expect(await world.as(tenant, (rows) => rows.tenant.get())).toEqual({ ...tenant, quotas })
      const retention = { ...defaultRetention, runDays: 2 }
      await world.as(tenant, (rows) => rows.tenant.update({ retention }))
      const after = await world.as(tenant, (rows) => rows.tenant.get())
      expect(after).toEqual({ ...tenant, quotas, retention })
    })

    check('keep both of two changes that are made at the same time', async (world) => {
      const tenant = await world.tenant()
      const changed = (n: number) => ({
        quotas: { ...unlimited, endpoints: n },
        retention: { ...defaultRetention, runDays: n },
      })
      for (let n = 1; n <= 20; n++) {
        const { quotas, retention } = changed(n)
        await Promise.all([
          world.as(tenant, (rows) => rows.tenant.update({ quotas })),
          world.as(tenant, (rows) => rows.tenant.update({ retention })),
        ])
        const found = await world.as(tenant, (rows) => rows.tenant.get())
        expect(found).toEqual({ ...tenant, ...changed(n) })
      }
    })

    check('are locked for a change of what was read', async (world) => {
      const tenant = await world.tenant({ quotas: { ...unlimited, endpoints: 0 } })
      const changes = Array.from({ length: 10 }, () =>
        world.as(tenant, async (rows) => {
          const { quotas } = await rows.tenant.lock()
          await rows.tenant.update({ quotas: { ...quotas, endpoints: quotas.endpoints! + 1 } })
        }),
      )
      await Promise.all(changes)
      const { quotas } = await world.as(tenant, (rows) => rows.tenant.get())
      expect(quotas.endpoints).toBe(10)
    })

    check('are read without waiting for a change', async (world) => {
      const tenant = await world.tenant()
      const read = () => world.as(tenant, (rows) => rows.tenant.get())
      expect(await world.during(tenant, (rows) => rows.tenant.lock(), read)).toEqual(tenant)
    })

    check('that do not exist can not be changed', async (world) => {
      const none = { id: newId('ten', 0) }
      const change = world.as(none, (rows) => rows.tenant.update({ quotas: unlimited }))
      await expect(change).rejects.toThrow(/does not exist/)
      await expect(world.as(none, (rows) => rows.tenant.lock())).rejects.toThrow(/does not exist/)
    })

    check('count what they use of this month', async (world) => {
      const tenant = await world.tenant()
      const usage = await world.as(tenant, (rows) => rows.tenant.usage())
      const month = monthOf(await world.now())
      expect(usage).toEqual({ month, endpoints: 0, runs: 0, aiCalls: 0, aiTokens: 0 })
      await world.as(tenant, async (rows) => {
        await rows.tenant.count({ aiCalls: 2 })
        await rows.tenant.count({ aiCalls: 1, aiTokens: 3e9 })
        await rows.tenant.count({})
      })
      const used = { ...usage, aiCalls: 3, aiTokens: 3e9 }
      expect(await world.as(tenant, (rows) => rows.tenant.usage())).toEqual(used)
    })

    check('count many uses at the same time', async (world) => {
      const tenant = await world.tenant()
      const calls = Array.from({ length: 20 }, () =>
        world.as(tenant, (rows) => rows.tenant.count({ aiCalls: 1, aiTokens: 10 })),
      )
      await Promise.all(calls)
      const usage = await world.as(tenant, (rows) => rows.tenant.usage())
      expect(usage).toMatchObject({ aiCalls: 20, aiTokens: 200 })
    })

    check('count endpoints that are made, archived, brought back and deleted', async (world) => {
      const place = await world.place()
      const { tenant } = place
      const count = async () => (await world.as(tenant, (rows) => rows.tenant.usage())).endpoints
      const [first, second] = [await world.endpoint(place), await world.endpoint(place)]
      expect(await count()).toBe(2)
      const archived = { ...first.endpoint, archivedAt: 5 }
      await world.as(tenant, (rows) => rows.endpoints.update(archived))
      expect(await count()).toBe(1)
      await world.as(tenant, (rows) => rows.endpoints.update(first.endpoint))
      expect(await count()).toBe(2)
      await world.as(tenant, (rows) => rows.endpoints.update({ ...first.endpoint, version: 9 }))
      expect(await count()).toBe(2)
      await world.as(tenant, (rows) => rows.endpoints.delete(second.endpoint.id))
      await world.as(tenant, (rows) => rows.endpoints.delete(second.endpoint.id))
      expect(await count()).toBe(1)
      await world.as(tenant, (rows) => rows.endpoints.update(archived))
      await world.endpoint(place)
      await world.as(tenant, (rows) => rows.jobs.delete(place.job.id))
      expect(await count()).toBe(0)
    })

    check('count an archived endpoint off once, when it was archived', async (world) => {
      const place = await world.place()
      const { tenant } = place
      const count = async () => (await world.as(tenant, (rows) => rows.tenant.usage())).endpoints
      const [gone] = [await world.endpoint(place), await world.endpoint(place)]
      const archived = { ...gone.endpoint, archivedAt: 5 }
      await world.as(tenant, async (rows) => {
        await rows.endpoints.update(archived)
        await rows.endpoints.update({ ...archived, version: 9 })
      })
      expect(await count()).toBe(1)
      await world.as(tenant, (rows) => rows.endpoints.delete(gone.endpoint.id))
      expect(await count()).toBe(1)
      const put = sample(tenant, place.job.id, 5)
      await world.as(tenant, (rows) =>
        rows.endpoints.insert({ ...put.endpoint, archivedAt: 5 }, put.plan),
      )
      expect(await count()).toBe(1)
    })

    check('count endpoints of a deleted job off for nobody else', async (world) => {
      const [place, other] = [await world.place(), await world.place()]
      for (const each of [place, other]) await world.endpoint(each)
      await world.as(place.tenant, (rows) => rows.jobs.delete(place.job.id))
      const usage = await world.as(other.tenant, (rows) => rows.tenant.usage())
      expect(usage.endpoints).toBe(1)
    })

    check('count each endpoint by its own state, and not by that of another', async (world) => {
      const place = await world.place()
      const { tenant } = place
      const made = [await world.endpoint(place), await world.endpoint(place)]
      for (const { endpoint } of made) {
        const archived = { ...endpoint, archivedAt: 5 }
        await world.as(tenant, async ({ endpoints, tenant: { usage } }) => {
          await endpoints.update(archived)
          await endpoints.update({ ...archived, version: 9 })
          expect((await usage()).endpoints).toBe(1)
          await endpoints.update(endpoint)
          expect((await usage()).endpoints).toBe(2)
        })
      }
    })

    check('have one time for all that a transaction does', async (world) => {
      const tenant = await world.tenant()
      const before = await world.now()
      await world.as(tenant, async (rows) => {
        const { now } = rows
        await rows.audit.append(entry)
        await rows.tenant.get()
        expect(rows.now).toBe(now)
        expect(rows.tenantId).toBe(tenant.id)
        expect(now).toBeGreaterThanOrEqual(before)
        const [written] = (await rows.audit.list({ limit: 1, after: null })).items
        expect(written!.at).toBe(now)
      })
      expect(await world.now()).toBeLessThan(before + minute)
    })
  })
}

const entry = {
  actor: 'system',
  action: 'tenant.look',
  subject: 'it',
  before: null,
  after: null,
  reason: null,
}
