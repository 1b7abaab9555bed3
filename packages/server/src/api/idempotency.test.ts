import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newEndpoint, newJob } from '../../testing/api/sample.js'
import { TenantApi } from '../../testing/api/tenant-api.js'

describe('an idempotency key', () => {
  const api = new TenantApi()
  const { send } = api
  const key = { 'idempotency-key': 'order-66' }
  beforeEach(api.open)
  afterEach(api.close)

  it('has the same request done once, and answered alike', async () => {
    const first = await send('POST', '/jobs', { name: 'a' }, key)
    const second = await send('POST', '/jobs', { name: 'a' }, key)
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.text).toBe(first.text)
    expect(first.headers.get('idempotency-replayed')).toBeNull()
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    for (const name of ['etag', 'location', 'content-type']) {
      expect(second.headers.get(name)).toBe(first.headers.get(name))
    }
    expect((await send('GET', '/jobs')).body.items).toHaveLength(1)
  })

  it('has requests that come at once done once', async () => {
    const create = () => send('POST', '/jobs', { name: 'a' }, key)
    const replies = await Promise.all(Array.from({ length: 20 }, create))
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
    const replayed = replies.filter(({ headers }) => headers.has('idempotency-replayed'))
    expect(replayed).toHaveLength(19)
    expect((await send('GET', '/jobs')).body.items).toHaveLength(1)
  })

  it.each([
    ['another body', '/jobs', { name: 'b' }],
    ['another path', '/keys', { name: 'a', scopes: ['read'] }],
  ])('is refused with %s', async (_, path, body) => {
    await send('POST', '/jobs', { name: 'a' }, key)
    const reply = await send('POST', path, body, key)
    expect([reply.status, reply.body.code]).toEqual([422, 'idempotency_key_reused'])
  })

  it('is refused for another of the same kind', async () => {
    const job = await newJob(send)
    const [first, second] = [
      await newEndpoint(send, job, { name: 'first' }),
      await newEndpoint(send, job, { name: 'second' }),
    ]
    expect((await send('POST', `/endpoints/${first}/run`, undefined, key)).status).toBe(202)
    const reply = await send('POST', `/endpoints/${second}/run`, undefined, key)
    expect([reply.status, reply.body.code]).toEqual([422, 'idempotency_key_reused'])
  })

  it('does not mind how the JSON is written', async () => {
    await send('POST', '/jobs', '{"name":"a"}', key)
    const reply = await send('POST', '/jobs', ' { "name" : "\\u0061" } ', key)
    expect(reply.headers.get('idempotency-replayed')).toBe('true')
  })

  it('remembers what was refused', async () => {
    const id = await newJob(send, 'a')
    const first = await send('POST', '/jobs', { name: 'a' }, key)
    await send('DELETE', `/jobs/${id}`)
    const second = await send('POST', '/jobs', { name: 'a' }, key)
    expect([first.status, second.status]).toEqual([409, 409])
    expect(second.text).toBe(first.text)
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect(second.headers.get('content-type')).toBe('application/problem+json')
  })

  it('does not remember a request that was not understood', async () => {
    expect((await send('POST', '/jobs', { nmae: 'a' }, key)).status).toBe(400)
    expect((await send('POST', '/jobs', { name: 'a' }, key)).status).toBe(201)
  })

  it('is the tenant’s own', async () => {
    const other = await api.world.tenant('Other')
    await send('POST', '/jobs', { name: 'a' }, key)
    const reply = await other.send('POST', '/jobs', { name: 'b' }, key)
    expect(reply.status).toBe(201)
  })

  it('does not help a key with too small a scope to an answer', async () => {
    const created = await send('POST', '/keys', { name: 'k', scopes: ['admin'] }, key)
    const writer = api.world.sender(await api.world.keyWith(api.tenant.id, ['write']))
    const reply = await writer('POST', '/keys', { name: 'k', scopes: ['admin'] }, key)
    expect([created.status, reply.status]).toEqual([201, 403])
  })

  it('runs an endpoint once, however often it is asked to', async () => {
    const id = await newEndpoint(send, await newJob(send))
    const replies = await Promise.all(
      [1, 2, 3].map(() => send('POST', `/endpoints/${id}/run`, undefined, key)),
    )
    expect(replies.map(({ status }) => status)).toEqual([202, 202, 202])
    expect((await send('GET', '/runs')).body.items).toHaveLength(1)
  })

  it.each([
    ['/keys', { name: 'k', scopes: ['read'] }, 'key'],
    ['/secrets/default/rotate', undefined, 'value'],
  ])(
    'gives a secret of %s again that is shown once, and keeps it sealed',
    async (path, body, field) => {
      const first = await send('POST', path, body, key)
      const again = await send('POST', path, body, key)
      expect(first.body[field]).toEqual(expect.any(String))
      expect(again.body[field]).toBe(first.body[field])
      const kept = await api.store.tenant(api.tenant.id, ({ idempotency }) =>
        idempotency.get('order-66'),
      )
      expect(kept?.body).toMatch(/^k1\./)
      expect(JSON.stringify(kept)).not.toContain(first.body[field])
    },
  )

  it('does not let anybody guess at the request by what is kept of it', async () => {
    const job = await newJob(send)
    await newEndpoint(send, job)
    const kept = await api.store.tenant(api.tenant.id, ({ idempotency }) =>
      idempotency.get('order-66'),
    )
    expect(kept).toBeNull()
    await send('POST', '/jobs', { name: 'z' }, key)
    const other = await api.world.tenant('Other')
    await other.send('POST', '/jobs', { name: 'z' }, key)
    const read = (id: string) => api.store.tenant(id, (rows) => rows.idempotency.get('order-66'))
    const [mine, theirs] = [await read(api.tenant.id), await read(other.id)]
    expect(mine!.requestHash).not.toBe(theirs!.requestHash)
  })

  it.each(['', ' ', 'a b', 'ü', 'x'.repeat(256)])('can not be %j', async (text) => {
    const headers = { 'idempotency-key': text }
    const init = { method: 'POST', body: '{"name":"a"}' }
    const request = new Request('http://localhost/api/v1/jobs', init)
    request.headers.set('authorization', `Bearer ${api.tenant.key}`)
    request.headers.set('content-type', 'application/json')
    request.headers.set('idempotency-key', headers['idempotency-key'])
    const response = await api.world.app.request(request)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ field: 'idempotency-key' })
  })
})
