import { describe, expect, it } from 'vitest'
import type { Reply } from '../../../testing/api/api-world.js'
import { onBothStores } from '../../../testing/both-stores.js'
import { suspendTenant } from '../../use-cases/index.js'

describe('sessions of browsers', () => {
  onBothStores((api) => {
    const logIn = (key: string) => api.world.sender(null)('POST', '/session', { key })
    const sessionOf = ({ headers, body }: Reply) => ({
      cookie: headers.get('set-cookie')!.split(';')[0]!,
      'x-kron-csrf': body.csrfToken as string,
    })
    const logOut = (headers: Record<string, string>) =>
      api.world.sender(null)('DELETE', '/session', undefined, headers)
    const newKey = async () =>
      (await api.send('POST', '/keys', { name: 'second', scopes: ['read'] })).body

    const audited = async (keyId: string) => {
      const entries = await api.store.tenant(api.tenant.id, (rows) =>
        rows.audit.list({ limit: 50, after: null, subject: keyId }),
      )
      return entries.items.filter(({ action }) => action.startsWith('session.')).reverse()
    }

    it('end only by who knows their token', async () => {
      const { cookie, 'x-kron-csrf': token } = sessionOf(await logIn(api.tenant.key))
      for (const headers of [{ cookie }, { cookie, 'x-kron-csrf': 'guessed' }]) {
        const reply = await logOut(headers)
        expect([reply.status, reply.body.code]).toEqual([403, 'csrf_invalid'])
        expect(reply.headers.get('set-cookie')).toBe(null)
      }
      const read = () => api.world.sender(null)('GET', '/session', undefined, { cookie })
      expect((await read()).status).toBe(200)
      expect((await logOut({ cookie, 'x-kron-csrf': token })).status).toBe(204)
      expect((await read()).status).toBe(401)
    })

    it('are in the audit log when they begin and end', async () => {
      const reply = await logIn(api.tenant.key)
      await logOut(sessionOf(reply))
      const { keyId } = api.tenant
      const actor = `key:${keyId}`
      expect(await audited(keyId)).toMatchObject([
        {
          actor,
          action: 'session.create',
          subject: keyId,
          before: null,
          after: { from: expect.any(String), expiresAt: reply.body.expiresAt },
        },
        { actor, action: 'session.end', before: { expiresAt: reply.body.expiresAt }, after: null },
      ])
      expect(JSON.stringify(await audited(keyId))).not.toContain(api.tenant.key)
    })

    it('are in the audit log when they are refused', async () => {
      const { id, key } = await newKey()
      await api.send('DELETE', `/keys/${id}`)
      expect((await logIn(key)).status).toBe(401)
      const refused = { actor: `key:${id}`, action: 'session.refuse', reason: 'revoked key' }
      expect(await audited(id)).toMatchObject([refused])
      await suspendTenant(api.world.ports, { tenantId: api.tenant.id, actor: 'operator' })
      await api.clock.advanceBy(5_000)
      expect((await logIn(api.tenant.key)).status).toBe(403)
      expect(await audited(api.tenant.keyId)).toMatchObject([{ reason: 'suspended tenant' }])
    })

    it('are in the log of the server when their key is nobody’s, and not without end', async () => {
      const unknown = `kron_00000000_${'0'.repeat(40)}`
      for (const key of ['x', unknown]) expect((await logIn(key)).status).toBe(401)
      const lines = () => api.world.logged.filter((line) => line.includes('log_in_refused'))
      expect(lines().map((line) => JSON.parse(line).reason)).toEqual(['not a key', 'unknown key'])
      expect(lines().join()).not.toContain(unknown)
      for (let sent = 0; sent < 70; sent++) await logIn('x')
      expect(lines()).toHaveLength(60)
    })

    it('count towards the requests of their tenant', async () => {
      const { quotas } = await api.store.tenant(api.tenant.id, (rows) => rows.tenant.get())
      const few = { ...quotas, requestsPerMinute: 3 }
      await api.store.tenant(api.tenant.id, (rows) => rows.tenant.update({ quotas: few }))
      await api.clock.advanceBy(60_000)
      const statuses: number[] = []
      for (let sent = 0; sent < 5; sent++) statuses.push((await logIn(api.tenant.key)).status)
      expect(statuses).toEqual([201, 201, 201, 429, 429])
      expect(await audited(api.tenant.keyId)).toHaveLength(3)
    })
  })
})
