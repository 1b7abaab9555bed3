import { describe, expect } from 'vitest'
import { type ApiKey, newId, type Tenant } from '../../src/domain/index.js'
import { everyPage } from './page-conformance.js'
import type { Check } from './world-conformance.js'

export function sampleKey({ id }: Tenant, now: number, change: Partial<ApiKey> = {}): ApiKey {
  return {
    id: newId('key', now),
    tenantId: id,
    name: 'ci',
    prefix: 'kron_abc',
    scopes: ['read', 'run'],
    createdAt: now,
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
    ...change,
  }
}

export function describeKeys(check: Check): void {
  describe('keys', () => {
    check('are found by id, and by the hash across tenants', async (world) => {
      const tenant = await world.tenant()
      const key = sampleKey(tenant, await world.now(), { expiresAt: 8.64e15, scopes: ['admin'] })
      const hash = `hash of ${key.id}`
      await world.as(tenant, async (rows) => {
        await rows.keys.insert(key, hash)
        expect(await rows.keys.get(key.id)).toEqual(key)
        expect(await rows.keys.get('key_of_nobody')).toBeNull()
      })
      await world.store.system(async (rows) => {
        expect(await rows.keyByHash(hash)).toEqual(key)
        expect(await rows.keyByHash('another')).toBeNull()
      })
    })

    check('of one hash can not be made twice', async (world) => {
      const tenant = await world.tenant()
      const other = await world.tenant()
      const now = await world.now()
      const first = sampleKey(tenant, now)
      await world.as(tenant, (rows) => rows.keys.insert(first, first.id))
      const second = sampleKey(other, now)
      const insert = world.as(other, (rows) => rows.keys.insert(second, first.id))
      await expect(insert).rejects.toThrow()
      expect(await world.store.system((rows) => rows.keyByHash(first.id))).toEqual(first)
    })

    check('are revoked once, and stay to be seen', async (world) => {
      const tenant = await world.tenant()
      const key = sampleKey(tenant, await world.now())
      await world.as(tenant, async (rows) => {
        await rows.keys.insert(key, key.id)
        await rows.keys.revoke(key.id, 50)
        await rows.keys.revoke(key.id, 60)
        await rows.keys.revoke('key_of_nobody', 60)
        expect(await rows.keys.get(key.id)).toEqual({ ...key, revokedAt: 50 })
      })
      const found = await world.store.system((rows) => rows.keyByHash(key.id))
      expect(found).toEqual({ ...key, revokedAt: 50 })
    })

    check(
      'are usable until they expire or are revoked, or the tenant is suspended',
      async (world) => {
        const [tenant, suspended] = [await world.tenant(), await world.tenant()]
        const now = await world.now()
        const kept = sampleKey(tenant, now, { expiresAt: 8.64e15 })
        const keys = [
          kept,
          sampleKey(tenant, now, { expiresAt: now }),
          sampleKey(tenant, now, { id: `${kept.id}r` }),
        ]
        const stopped = sampleKey(suspended, now)
        await world.as(tenant, async (rows) => {
          for (const key of keys) await rows.keys.insert(key, key.id)
          await rows.keys.revoke(`${kept.id}r`, 50)
        })
        await world.as(suspended, async (rows) => {
          await rows.keys.insert(stopped, stopped.id)
          await rows.tenant.suspend(rows.now)
        })
        const many = Array.from({ length: 1_200 }, (_, n) => `key_of_nobody_${n}`)
        const asked = [...keys, stopped].map(({ id }) => id)
        await world.store.system(async (rows) => {
          expect(await rows.usableKeys([...many, ...asked])).toEqual(new Set([kept.id]))
          expect(await rows.usableKeys([])).toEqual(new Set())
        })
      },
    )

    check('show when they were used last', async (world) => {
      const tenant = await world.tenant()
      const now = await world.now()
      const keys = [sampleKey(tenant, now), sampleKey(tenant, now), sampleKey(tenant, now)]
      await world.as(tenant, async (rows) => {
        for (const key of keys) await rows.keys.insert(key, key.id)
      })
      const [first, second, third] = keys.map(({ id }) => id)
      await world.store.system(async (rows) => {
        await rows.touchKeys([])
        await rows.touchKeys([
          { id: first!, at: 5 },
          { id: second!, at: 6 },
          { id: 'key_of_nobody', at: 7 },
        ])
      })
      await world.as(tenant, async (rows) => {
        const used = async (id: string | undefined) => (await rows.keys.get(id!))!.lastUsedAt
        expect([await used(first), await used(second), await used(third)]).toEqual([5, 6, null])
      })
    })

    check('are listed page by page in the order of their ids', async (world) => {
      const tenant = await world.tenant()
      const now = await world.now()
      const keys = Array.from({ length: 13 }, () => sampleKey(tenant, now))
      await world.as(tenant, async (rows) => {
        for (const key of keys) await rows.keys.insert(key, key.id)
        keys.sort((a, b) => (a.id < b.id ? -1 : 1))
        expect(await everyPage(4, rows.keys.list)).toEqual(keys)
      })
    })
  })
}
