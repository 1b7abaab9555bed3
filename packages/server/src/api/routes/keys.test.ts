import { MetricRegistry } from '@kron/runtime'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { TenantApi } from '../../../testing/api/tenant-api.js'
import { lookUpTtlMs } from '../../access/index.js'
import { createApi } from '../create-api.js'

describe('an API key', () => {
  const api = new TenantApi()
  const { send } = api
  beforeEach(api.open)
  afterEach(api.close)

  const create = (given: object) => send('POST', '/keys', { name: 'k', scopes: ['read'], ...given })

  it('is shown once, works, and is kept as a hash only', async () => {
    const { status, body } = await create({})
    expect(status).toBe(201)
    expect(body.key).toMatch(/^kron_/)
    expect((await api.world.sender(body.key)('GET', '/tenant')).status).toBe(200)
    const shown = await send('GET', `/keys/${body.id}`)
    expect(shown.body).toMatchObject({ name: 'k', scopes: ['read'], prefix: body.prefix })
    const secret = body.key.slice(body.prefix.length + 1)
    const everything = [
      shown.text,
      (await send('GET', '/keys')).text,
      (await send('GET', '/audit')).text,
    ]
    for (const text of everything) expect(text).not.toContain(secret)
  })

  it('tells when it was last used, to the minute', async () => {
    const { body } = await create({})
    const lastUse = async () => (await send('GET', `/keys/${body.id}`)).body.lastUsedAt
    expect(await lastUse()).toBeNull()
    const use = api.world.sender(body.key)
    await use('GET', '/tenant')
    expect(await lastUse()).toBe('2026-03-01T02:32:20Z')
    await api.clock.advanceBy(59_000)
    await use('GET', '/tenant')
    expect(await lastUse()).toBe('2026-03-01T02:32:20Z')
    await api.clock.advanceBy(1000)
    await use('GET', '/tenant')
    expect(await lastUse()).toBe('2026-03-01T02:33:20Z')
  })

  it('stops working when it expires, to the moment', async () => {
    const { body } = await create({ expiresAt: '2026-03-01T02:33:20Z' })
    const use = api.world.sender(body.key)
    await api.clock.advanceBy(58_500)
    expect((await use('GET', '/tenant')).status).toBe(200)
    await api.clock.advanceBy(1500)
    const reply = await use('GET', '/tenant')
    expect([reply.status, reply.body.code]).toEqual([401, 'unauthenticated'])
    expect(reply.headers.get('www-authenticate')).toContain('Bearer')
    expect((await create({ expiresAt: '2026-03-01T02:33:20Z' })).body.field).toBe('expiresAt')
  })

  it('stops working at once where it is revoked, and elsewhere within seconds', async () => {
    const { body } = await create({})
    const elsewhere = createApi({ ...api.world.options, metrics: new MetricRegistry() })
    const headers = { authorization: `Bearer ${body.key}` }
    const there = async () => (await elsewhere.request('/api/v1/tenant', { headers })).status
    const here = async () => (await api.world.sender(body.key)('GET', '/tenant')).status
    expect([await here(), await there()]).toEqual([200, 200])
    expect((await send('DELETE', `/keys/${body.id}`)).status).toBe(204)
    expect(await here()).toBe(401)
    await api.clock.advanceBy(lookUpTtlMs)
    expect(await there()).toBe(401)
    expect((await send('GET', `/keys/${body.id}`)).body.revokedAt).toBe('2026-03-01T02:32:20Z')
  })

  it('stays when it is the last that may everything', async () => {
    const refused = await send('DELETE', `/keys/${api.tenant.keyId}`)
    expect([refused.status, refused.body.code]).toEqual([409, 'last_admin_key'])
    const brief = await create({ scopes: ['admin'], expiresAt: '2026-03-01T02:40:00Z' })
    await api.clock.advanceTo(Date.parse('2026-03-01T02:40:00Z'))
    expect((await send('DELETE', `/keys/${api.tenant.keyId}`)).status).toBe(409)
    const second = await create({ scopes: ['read', 'admin'] })
    expect((await send('DELETE', `/keys/${api.tenant.keyId}`)).status).toBe(204)
    const left = api.world.sender(second.body.key)
    expect((await left('DELETE', `/keys/${second.body.id}`)).status).toBe(409)
    expect((await left('DELETE', `/keys/${brief.body.id}`)).status).toBe(204)
  })

  it('is not replaced by one that expires in three seconds', async () => {
    await create({ scopes: ['admin'], expiresAt: '2026-03-01T02:32:23Z' })
    const refused = await send('DELETE', `/keys/${api.tenant.keyId}`)
    expect([refused.status, refused.body.code]).toEqual([409, 'last_admin_key'])
    expect(refused.body.detail).toBe(
      'This is the last key with the scope admin that does not expire.',
    )
    await api.clock.advanceBy(4_000)
    expect((await send('GET', '/keys')).status).toBe(200)
  })

  it('that expires may be revoked while one that does not is left', async () => {
    const brief = await create({ scopes: ['admin'], expiresAt: '2026-03-01T02:40:00Z' })
    expect((await send('DELETE', `/keys/${brief.body.id}`)).status).toBe(204)
  })

  it('is left when two are revoked at once', async () => {
    const second = await create({ scopes: ['admin'] })
    const replies = await Promise.all([
      send('DELETE', `/keys/${api.tenant.keyId}`),
      send('DELETE', `/keys/${second.body.id}`),
    ])
    expect(replies.map(({ status }) => status).sort()).toEqual([204, 409])
  })

  it.each([
    ['Bearer', 'Bearer'],
    ['Basic', 'Basic a3Jvbg=='],
    ['the key alone', 'kron_00000000_0000000000000000000000000000000000000000'],
    ['too long a key', `Bearer kron_${'0'.repeat(5000)}`],
  ])('is not %s', async (_, authorization) => {
    const reply = await api.world.sender(null)('GET', '/tenant', undefined, { authorization })
    expect([reply.status, reply.body.code]).toEqual([401, 'unauthenticated'])
  })
})
