import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ApiWorld, type Reply } from '../../../testing/api/api-world.js'
import { TenantApi } from '../../../testing/api/tenant-api.js'
import { onBothStores } from '../../../testing/both-stores.js'
import { suspendTenant } from '../../use-cases/index.js'

describe('a session', () => {
  const api = new TenantApi()
  const strangers = () => api.world.sender(null)
  beforeEach(api.open)
  afterEach(api.close)

  async function logIn(
    key = api.tenant.key,
  ): Promise<{ reply: Reply; cookie: string; csrf: string }> {
    const reply = await strangers()('POST', '/session', { key })
    const cookie = reply.headers.get('set-cookie')?.split(';')[0] ?? ''
    return { reply, cookie, csrf: reply.body.csrfToken }
  }

  it('begins with a key, in a cookie that neither scripts nor other sites can use', async () => {
    const { reply } = await logIn()
    expect(reply.status).toBe(201)
    const cookie = reply.headers.get('set-cookie')!
    expect(cookie).toContain('HttpOnly')
    expect(cookie).toContain('SameSite=Strict')
    expect(cookie).not.toContain('Secure')
    expect(reply.text + cookie).not.toContain(api.tenant.key)
    expect(reply.body).toMatchObject({
      tenant: { id: api.tenant.id },
      key: { id: api.tenant.keyId, scopes: ['admin'] },
      expiresAt: '2026-03-01T14:32:20Z',
    })
  })

  it('is sent over https only where the server is reached so', async () => {
    const secure = await ApiWorld.open({ publicUrl: 'https://kron.example.com' })
    const { key } = await secure.tenant()
    const reply = await secure.sender(null)('POST', '/session', { key })
    expect(reply.headers.get('set-cookie')).toContain('Secure')
    await secure.close()
  })

  it('reads with the cookie alone, and changes with the token besides', async () => {
    const { cookie, csrf } = await logIn()
    const send = strangers()
    expect((await send('GET', '/jobs', undefined, { cookie })).status).toBe(200)
    const without = await send('POST', '/jobs', { name: 'a' }, { cookie })
    expect([without.status, without.body.code]).toEqual([403, 'csrf_invalid'])
    const wrong = await send('POST', '/jobs', { name: 'a' }, { cookie, 'x-kron-csrf': 'x' })
    expect(wrong.status).toBe(403)
    const other = (await logIn()).csrf
    const foreign = await send('POST', '/jobs', { name: 'a' }, { cookie, 'x-kron-csrf': other })
    expect(foreign.status).toBe(403)
    const right = await send('POST', '/jobs', { name: 'a' }, { cookie, 'x-kron-csrf': csrf })
    expect(right.status).toBe(201)
  })

  it('is shown to its browser, and ends there', async () => {
    const { cookie, csrf } = await logIn()
    const shown = await strangers()('GET', '/session', undefined, { cookie })
    expect(shown.body.csrfToken).toBe(csrf)
    const ended = await strangers()('DELETE', '/session', undefined, {
      cookie,
      'x-kron-csrf': csrf,
    })
    expect(ended.status).toBe(204)
    expect(ended.headers.get('set-cookie')).toContain('Max-Age=0')
    expect((await strangers()('GET', '/session')).status).toBe(401)
  })

  it('that has ended is none any more, for anyone who kept its cookie', async () => {
    const { cookie, csrf } = await logIn()
    const other = await logIn()
    const read = (sent: string) => strangers()('GET', '/jobs', undefined, { cookie: sent })
    expect((await read(cookie)).status).toBe(200)
    await strangers()('DELETE', '/session', undefined, { cookie, 'x-kron-csrf': csrf })
    expect((await read(cookie)).status).toBe(401)
    expect((await strangers()('GET', '/session', undefined, { cookie })).status).toBe(401)
    expect((await strangers()('DELETE', '/session', undefined, { cookie })).status).toBe(204)
    expect((await read(other.cookie)).status).toBe(200)
  })

  it('ends after its time', async () => {
    const { cookie } = await logIn()
    await api.clock.advanceBy(12 * 3_600_000 - 1)
    expect((await strangers()('GET', '/jobs', undefined, { cookie })).status).toBe(200)
    await api.clock.advanceBy(1)
    expect((await strangers()('GET', '/jobs', undefined, { cookie })).status).toBe(401)
  })

  it('ends with its key', async () => {
    const { body } = await api.tenant.send('POST', '/keys', { name: 'k', scopes: ['read'] })
    const { cookie } = await logIn(body.key)
    expect((await strangers()('GET', '/jobs', undefined, { cookie })).status).toBe(200)
    await api.tenant.send('DELETE', `/keys/${body.id}`)
    expect((await strangers()('GET', '/jobs', undefined, { cookie })).status).toBe(401)
  })

  it('has the scopes of its key', async () => {
    const { cookie, csrf } = await logIn(await api.world.keyWith(api.tenant.id, ['read']))
    const headers = { cookie, 'x-kron-csrf': csrf }
    const reply = await strangers()('POST', '/jobs', { name: 'a' }, headers)
    expect([reply.status, reply.body.code]).toEqual([403, 'scope_missing'])
  })

  it.each(['', 'x', 'k1.00000000.AAAA'])('is none with the cookie %j', async (token) => {
    const reply = await strangers()('GET', '/jobs', undefined, { cookie: `kron_session=${token}` })
    expect(reply.status).toBe(401)
  })

  it('does not begin without a valid key', async () => {
    for (const key of ['x', `kron_00000000_${'0'.repeat(40)}`]) {
      const reply = await strangers()('POST', '/session', { key })
      expect([reply.status, reply.headers.get('set-cookie')]).toEqual([401, null])
    }
  })
})

describe('sign-up', () => {
  it('does not exist unless it is opened', async () => {
    const world = await ApiWorld.open()
    const send = world.sender(null)
    const replies = [
      await send('POST', '/tenants', { name: 'New' }),
      await send('POST', '/tenants', { nme: 5 }),
      await send('POST', '/tenants', '{'),
      await send('GET', '/tenants'),
      await send('OPTIONS', '/tenants'),
    ]
    for (const reply of replies) {
      expect([reply.status, reply.body.code]).toEqual([404, 'not_found'])
    }
    await world.close()
  })

  it('makes a tenant with a key that works, as often as a network may', async () => {
    const world = await ApiWorld.open({ signup: 'open', limits: { failuresPerMinute: 2 } })
    const sign = () => world.sender(null)('POST', '/tenants', { name: 'New' })
    const { status, body } = await sign()
    expect(status).toBe(201)
    expect(body.signingSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const send = world.sender(body.key.key)
    expect((await send('GET', '/tenant')).body.id).toBe(body.tenant.id)
    expect((await send('POST', '/jobs', { name: 'a' })).status).toBe(201)
    expect((await send('GET', '/secrets/default')).status).toBe(200)
    expect([(await sign()).status, (await sign()).status]).toEqual([201, 429])
    await world.close()
  })

  it('says that it can not keep an idempotency key', async () => {
    const world = await ApiWorld.open({ signup: 'open' })
    const key = { 'idempotency-key': 'a' }
    const reply = await world.sender(null)('POST', '/tenants', { name: 'New' }, key)
    expect([reply.status, reply.body.field]).toEqual([400, 'idempotency-key'])
    await world.close()
  })
})

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
