import { describe, expect } from 'vitest'
import type { TenantTransaction } from '../../src/store/index.js'
import type { Check } from './world-conformance.js'

const answer = {
  requestHash: 'abc',
  status: 201,
  body: '{"id":"\u{1F552}"}',
  headers: { etag: '"1"', location: '/x' },
}

/** As a request is answered: what was answered before is answered again. */
async function answered(rows: TenantTransaction, key: string, body: string): Promise<string> {
  const before = await rows.idempotency.get(key)
  if (before !== null) return before.body
  await rows.tenant.count({ aiCalls: 1 })
  await rows.idempotency.put(key, { ...answer, body })
  return body
}

export function describeIdempotency(check: Check): void {
  describe('idempotency keys', () => {
    check('give the answer again that was given', async (world) => {
      const tenant = await world.tenant()
      const get = () => world.as(tenant, (rows) => rows.idempotency.get('k'))
      expect(await get()).toBeNull()
      expect(await get()).toBeNull()
      await world.as(tenant, async (rows) => {
        expect(await rows.idempotency.get('k')).toBeNull()
        await rows.idempotency.put('k', answer)
        expect(await rows.idempotency.get('k')).toEqual(answer)
      })
      expect(await get()).toEqual(answer)
      expect(await world.as(tenant, (rows) => rows.idempotency.get('K'))).toBeNull()
    })

    check('have an answer each', async (world) => {
      const tenant = await world.tenant()
      await world.as(tenant, async (rows) => {
        for (const key of ['a', 'b']) await answered(rows, key, `of ${key}`)
        for (const key of ['a', 'b']) {
          expect(await rows.idempotency.get(key)).toEqual({ ...answer, body: `of ${key}` })
        }
      })
    })

    check('have the work done once by requests at the same time', async (world) => {
      const tenant = await world.tenant()
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, n) =>
          world.as(tenant, (rows) => answered(rows, 'k', `by ${n}`)),
        ),
      )
      expect(new Set(answers).size).toBe(1)
      const usage = await world.as(tenant, (rows) => rows.tenant.usage())
      expect(usage.aiCalls).toBe(1)
    })

    check('are free again when the request that had them failed', async (world) => {
      const tenant = await world.tenant()
      const failing = world.as(tenant, async (rows) => {
        await answered(rows, 'k', 'never')
        throw new Error('it failed')
      })
      const next = world.as(tenant, (rows) => answered(rows, 'k', 'second'))
      await expect(failing).rejects.toThrow('it failed')
      expect(await next).toBe('second')
      expect(await world.as(tenant, (rows) => answered(rows, 'k', 'third'))).toBe('second')
    })

    check('are forgotten in bounded batches, the oldest first', async (world) => {
      const tenant = await world.tenant()
      let at = 0
      for (const key of ['a', 'b', 'c']) {
        at = await world.as(tenant, async (rows) => {
          await answered(rows, key, key)
          return rows.now
        })
        await world.pass(at)
      }
      const found = async (key: string) =>
        (await world.as(tenant, (rows) => rows.idempotency.get(key))) !== null
      const prune = (before: number, limit: number) =>
        world.store.system((rows) => rows.pruneTraces(before, limit))
      while ((await prune(at, 1)) > 0);
      expect(await found('c')).toBe(true)
      expect(await found('a')).toBe(false)
      expect(await found('b')).toBe(false)
      expect(await prune(at + 1, 100)).toBeGreaterThanOrEqual(1)
      expect(await found('c')).toBe(false)
    })
  })
}
