import { describe, expect } from 'vitest'
import { type Check, hour } from './world-conformance.js'

export function describeLogOuts(check: Check): void {
  describe('log-outs', () => {
    check('are of one session, however often it ends', async (world) => {
      const tenant = await world.tenant()
      const expiresAt = (await world.now()) + hour
      await world.as(tenant, async ({ logOuts }) => {
        expect(await logOuts.has('one')).toBe(false)
        await logOuts.add('one', expiresAt)
        await logOuts.add('one', expiresAt)
      })
      await world.as(tenant, async ({ logOuts }) => {
        expect(await logOuts.has('one')).toBe(true)
        expect(await logOuts.has('other')).toBe(false)
      })
      const { id } = await world.tenant()
      const sessions = [
        { tenantId: tenant.id, id: 'one' },
        { tenantId: tenant.id, id: 'other' },
        { tenantId: id, id: 'one' },
      ]
      await world.store.system(async (rows) => {
        expect(await rows.loggedOut(sessions)).toEqual(new Set(['one']))
        expect(await rows.loggedOut(sessions.slice(1))).toEqual(new Set())
        expect(await rows.loggedOut([])).toEqual(new Set())
      })
    })

    check('are forgotten when their sessions would have ended anyway', async (world) => {
      const tenant = await world.tenant()
      const now = await world.now()
      await world.as(tenant, async ({ logOuts }) => {
        await logOuts.add('first', now - 3)
        await logOuts.add('second', now - 2)
        await logOuts.add('standing', now)
      })
      const found = (id: string) => world.as(tenant, ({ logOuts }) => logOuts.has(id))
      const prune = () => world.store.system((rows) => rows.pruneTraces(now, 1))
      while ((await found('first')) && (await prune()) > 0);
      expect(await found('second')).toBe(true)
      while ((await prune()) > 0);
      expect([await found('second'), await found('standing')]).toEqual([false, true])
    })
  })
}
