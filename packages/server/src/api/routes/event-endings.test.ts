import { describe, expect, it } from 'vitest'
import { Follower } from '../../../testing/api/follower.js'
import { onBothStores } from '../../../testing/both-stores.js'
import { createKey, inCall, suspendTenant } from '../../use-cases/index.js'

const withinMs = 2_000

describe('a stream of events ends within two seconds', () => {
  onBothStores((api) => {
    const asker = () => ({ tenantId: api.tenant.id, actor: 'test' })

    async function follow(headers: Record<string, string>): Promise<Follower> {
      const follower = new Follower(await api.world.app.request('/api/v1/events', { headers }))
      await follower.until(': connected\n\n')
      return follower
    }

    const newKey = (expiresAt: number | null) => {
      const wanted = { name: 'reader', scopes: ['read'], expiresAt } as const
      return inCall(api.world.ports, asker(), (call) => createKey(call, wanted))
    }

    const bearer = (text: string) => ({ authorization: `Bearer ${text}` })

    it('of its key being revoked, by whatever process', async () => {
      const { key, text } = await newKey(null)
      const follower = await follow(bearer(text))
      await api.store.tenant(api.tenant.id, (rows) => rows.keys.revoke(key.id, rows.now))
      await api.clock.advanceBy(withinMs)
      expect(await follower.rest()).toBe('')
    })

    it('of its key having expired', async () => {
      const livesMs = 250
      const { text } = await newKey((await api.storeNow()) + livesMs)
      const follower = await follow(bearer(text))
      await api.pass(livesMs)
      await api.clock.advanceBy(withinMs)
      expect(await follower.rest()).toBe('')
    })

    it('of its tenant being suspended', async () => {
      const follower = await follow(bearer(api.tenant.key))
      await suspendTenant(api.world.ports, { ...asker(), actor: 'operator' })
      await api.clock.advanceBy(withinMs)
      expect(await follower.rest()).not.toContain('heartbeat')
    })

    it('of its session being ended', async () => {
      const send = api.world.sender(null)
      const logIn = await send('POST', '/session', { key: api.tenant.key })
      const cookie = logIn.headers.get('set-cookie')!.split(';')[0]!
      const follower = await follow({ cookie })
      const csrf = { cookie, 'x-kron-csrf': logIn.body.csrfToken }
      expect((await send('DELETE', '/session', undefined, csrf)).status).toBe(204)
      await api.clock.advanceBy(withinMs)
      expect(await follower.rest()).toBe('')
    })

    it('and not for others', async () => {
      const { key, text } = await newKey(null)
      const [revoked, kept] = [await follow(bearer(text)), await follow(bearer(api.tenant.key))]
      await api.store.tenant(api.tenant.id, (rows) => rows.keys.revoke(key.id, rows.now))
      await api.clock.advanceBy(withinMs)
      expect(await revoked.rest()).toBe('')
      const { body: job } = await api.send('POST', '/jobs', { name: 'next' })
      expect(await kept.until('\n\n')).toContain(job.id)
      await kept.cancel()
      expect(api.clock.pending).toBe(0)
    })
  })
})
