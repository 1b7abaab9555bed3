import { describe, expect } from 'vitest'
import { newId, type Tenant, unlimited } from '../../src/domain/index.js'
import { sampleSession } from './history-conformance.js'
import { sampleKey } from './key-conformance.js'
import { sampleSecret } from './secret-conformance.js'
import type { Check, World } from './world-conformance.js'

async function countTenants({ store }: World): Promise<number> {
  return (await store.system((rows) => rows.tenants(100_000, null))).length
}

export function describeOperators(check: Check): void {
  describe('what operators do', () => {
    check('takes no more tenants than are wanted, however many come at once', async (world) => {
      const sample = await world.tenant()
      const before = await countTenants(world)
      const made = (): Tenant => ({ ...sample, id: newId('ten', sample.createdAt) })
      const taken = await Promise.all(
        Array.from({ length: 5 }, () =>
          world.store.system((rows) => rows.insertTenantWithin(made(), before + 2)),
        ),
      )
      expect(taken.filter((isTaken) => isTaken)).toHaveLength(2)
      expect(await countTenants(world)).toBe(before + 2)
    })

    check('makes a first tenant only where there is none', async (world) => {
      const sample = await world.tenant()
      const before = await countTenants(world)
      const made = { ...sample, id: newId('ten', sample.createdAt) }
      expect(await world.store.system((rows) => rows.insertFirstTenant(made))).toBe(false)
      expect(await countTenants(world)).toBe(before)
    })

    check('is seen by the tenant: its name, and that it is suspended', async (world) => {
      const tenant = await world.tenant()
      await world.as(tenant, async (rows) => {
        await rows.tenant.update({ name: 'another' })
        await rows.tenant.suspend(1_234)
      })
      const changed = { ...tenant, name: 'another', suspendedAt: 1_234 }
      expect(await world.store.system((rows) => rows.tenant(tenant.id))).toEqual(changed)
      await world.as(tenant, (rows) => rows.tenant.suspend(null))
      const { suspendedAt: _, ...active } = changed
      expect(await world.as(tenant, (rows) => rows.tenant.get())).toEqual(active)
    })

    check('finds no limit where a quota came later than the tenant', async (world) => {
      const { minIntervalMs: _, ...older } = unlimited
      const tenant = await world.tenant({ quotas: older as typeof unlimited })
      expect(await world.as(tenant, (rows) => rows.tenant.get())).toMatchObject({
        quotas: unlimited,
      })
    })

    check('removes a tenant with all that it has, a few rows at a time', async (world) => {
      const place = await world.place()
      const other = await world.place()
      for (const each of [place, other]) {
        for (let n = 0; n < 3; n++) await world.due(each)
      }
      await world.claim()
      const entry = { actor: 'x', subject: 'x', before: null, after: null, reason: null }
      await world.as(other.tenant, (rows) => rows.audit.append({ ...entry, action: 'theirs' }))
      await world.as(place.tenant, async (rows) => {
        await rows.secrets.put(sampleSecret(place.tenant, 'default'))
        await rows.audit.append({ ...entry, action: 'tenant.delete' })
        await rows.audit.append({ ...entry, action: 'something' })
      })
      const { id } = place.tenant
      const rowsAtOnce = 2
      for (let gone = 1; gone > 0; ) {
        gone = await world.store.system((rows) => rows.deleteRowsOf(id, rowsAtOnce))
        expect(gone).toBeLessThanOrEqual(rowsAtOnce)
      }
      const page = { limit: 10, after: null }
      await world.as(place.tenant, async (rows) => {
        expect((await rows.jobs.list(page)).items).toEqual([])
        expect((await rows.endpoints.list(page)).items).toEqual([])
        expect((await rows.runs.list(page)).items).toEqual([])
        expect((await rows.secrets.list(page)).items).toEqual([])
        const left = (await rows.audit.list(page)).items.map(({ action }) => action)
        expect(left).toEqual(['tenant.delete'])
      })
      await world.store.system((rows) => rows.deleteTenant(id))
      expect(await world.store.system((rows) => rows.tenant(id))).toBeNull()
      await world.as(other.tenant, async (rows) => {
        expect((await rows.endpoints.list(page)).items).toHaveLength(3)
        expect((await rows.runs.list(page)).items).toHaveLength(3)
        expect((await rows.audit.list(page)).items).toHaveLength(1)
        expect(await rows.tenant.get()).toEqual(other.tenant)
      })
    })

    check('removes rows of one table after the other, never more than asked for', async (world) => {
      const place = await world.place()
      const { tenant } = place
      for (let n = 0; n < 3; n++) await world.endpoint(place)
      await world.job(tenant)
      await world.as(tenant, async ({ secrets }) => {
        for (const name of ['a', 'b', 'c']) await secrets.put(sampleSecret(tenant, name))
      })
      const gone: number[] = []
      while (gone.at(-1) !== 0) {
        gone.push(await world.store.system((rows) => rows.deleteRowsOf(tenant.id, 2)))
      }
      const [endpoints, jobs, secrets] = [[2, 1], [2], [2, 1]]
      expect(gone).toEqual([...endpoints, ...jobs, ...secrets, 0])
    })

    check('leaves nothing of a tenant behind that it removes', async (world) => {
      const retention = { runDays: 0, runsPerEndpoint: 10, bodyDays: 0 }
      const place = await world.place({ retention })
      const { tenant } = place
      const [kept] = [await world.due(place), await world.due(place)]
      const { claimed } = await world.claim()
      for (const run of claimed) await world.recordOne(run, { status: 'failure' })
      const key = sampleKey(tenant, await world.now())
      const answer = { requestHash: 'h', status: 200, headers: {}, body: '' }
      await world.as(tenant, async (rows) => {
        await rows.endpoints.delete(kept.endpoint.id)
        await rows.keys.insert(key, key.id)
        await rows.sessions.append(sampleSession(tenant, rows.now))
        await rows.logOuts.add('session', rows.now)
        await rows.idempotency.get('once')
        await rows.idempotency.put('once', answer)
        expect((await rows.tenant.usage()).runs).toBe(2)
        expect(await rows.logOuts.has('session')).toBe(true)
        expect(await rows.idempotency.get('once')).toEqual(answer)
      })
      await world.pass((await world.now()) + 1)
      while ((await world.store.system((rows) => rows.deleteRowsOf(tenant.id, 100))) > 0);
      await world.as(tenant, async (rows) => {
        expect((await rows.keys.list({ limit: 9, after: null })).items).toEqual([])
        expect((await rows.sessions.list({ limit: 9, after: null })).items).toEqual([])
        expect((await rows.tenant.usage()).runs).toBe(0)
        expect(await rows.logOuts.has('session')).toBe(false)
        expect(await rows.idempotency.get('once')).toBeNull()
      })
      const asked = await world.store.system((rows) => rows.takeAttention(10_000))
      expect(asked.filter(({ tenantId }) => tenantId === tenant.id)).toEqual([])
      const pruned = await world.store.system((rows) => rows.prune(tenant, 100))
      expect(pruned).toEqual({ runs: 0, bodies: 0, others: 0 })
    })

    check('writes something to see whether that can be done', async (world) => {
      await world.store.system((rows) => rows.probeWrite())
      await world.store.system((rows) => rows.probeWrite())
    })
  })

  describe('keys that seal', () => {
    check('are kept by their names, the first text of each', async (world) => {
      await world.store.system(async (rows) => {
        await rows.addSealingKey('0a1b2c3d', 'k1.0a1b2c3d.one')
        await rows.addSealingKey('0a1b2c3d', 'k1.0a1b2c3d.two')
        const ours = (await rows.lockSealingKeys()).filter(({ id }) => id === '0a1b2c3d')
        expect(ours).toEqual([{ id: '0a1b2c3d', sealed: 'k1.0a1b2c3d.one' }])
        await rows.removeSealingKey('0a1b2c3d')
        expect(await rows.sealingKeys()).toEqual([])
      })
    })

    check('are listed in the order of their names, and removed one by one', async (world) => {
      await world.store.system(async (rows) => {
        const ids = async () => (await rows.sealingKeys()).map(({ id }) => id)
        for (const id of ['bbbbbbbb', 'aaaaaaaa', 'cccccccc']) await rows.addSealingKey(id, id)
        expect(await ids()).toEqual(['aaaaaaaa', 'bbbbbbbb', 'cccccccc'])
        await rows.removeSealingKey('bbbbbbbb')
        expect(await ids()).toEqual(['aaaaaaaa', 'cccccccc'])
        for (const id of await ids()) await rows.removeSealingKey(id)
        expect(await ids()).toEqual([])
      })
    })

    check('are found in use by secrets and headers, unless these are over', async (world) => {
      const place = await world.place()
      const { tenant } = place
      const sampleOf = (id: string | null) => world.store.system((rows) => rows.sealedSample(id))
      const value = (sealed: string, expiresAt: number | null) => ({
        sealed,
        createdAt: 1,
        expiresAt,
      })
      const secret = sampleSecret(tenant, 'default')
      await world.as(tenant, (rows) =>
        rows.secrets.put({
          ...secret,
          values: [value('k1.aaaaaaaa.new', null), value('k1.bbbbbbbb.old', 1)],
        }),
      )
      await world.endpoint(place, { headers: { authorization: 'k1.cccccccc.header' } })
      const put = await world.endpoint(place, { headers: { authorization: 'k1.eeeeeeee.header' } })
      await world.as(tenant, (rows) => rows.endpoints.update({ ...put.endpoint, archivedAt: 1 }))
      expect(await sampleOf('eeeeeeee')).toBeNull()
      const tenantId = tenant.id
      const ofSecret = { sealed: 'k1.aaaaaaaa.new', purpose: 'secret', tenantId }
      expect(await sampleOf('aaaaaaaa')).toEqual(ofSecret)
      expect(await sampleOf(null)).toEqual(ofSecret)
      expect(await sampleOf('bbbbbbbb')).toBeNull()
      expect(await sampleOf('cccccccc')).toEqual({
        sealed: 'k1.cccccccc.header',
        purpose: 'header',
        tenantId,
      })
      expect(await sampleOf('dddddddd')).toBeNull()
      // A text of its owner is not sealed, whatever it begins with.
      await world.endpoint(place, { description: 'k1.dddddddd.text' })
      expect(await sampleOf('dddddddd')).toBeNull()
    })
  })
}
