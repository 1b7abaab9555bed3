import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ApiWorld, replyOf, type TestTenant } from '../../testing/api/api-world.js'
import { unlimited } from '../domain/index.js'

describe('limits', () => {
  let world: ApiWorld
  let tenant: TestTenant

  beforeEach(async () => {
    world = await ApiWorld.open({ limits: { failuresPerMinute: 3, bodyBytes: 2000 } })
    tenant = await world.tenant()
  })
  afterEach(() => world.close())

  it('cut off a body that says that it is too large', async () => {
    const reply = await tenant.send('POST', '/jobs', { name: 'a', description: 'x'.repeat(3000) })
    expect([reply.status, reply.body.code]).toEqual([413, 'payload_too_large'])
  })

  it('cut off a body that does not say how large it is, before its end', async () => {
    let chunks = 0
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        chunks++
        if (chunks > 100) return controller.close()
        controller.enqueue(new TextEncoder().encode('x'.repeat(500)))
      },
    })
    const headers = {
      authorization: `Bearer ${tenant.key}`,
      'content-type': 'application/json',
    }
    const init = { method: 'POST', headers, body: stream, duplex: 'half' }
    const reply = await replyOf(await world.app.request('/api/v1/jobs', init as RequestInit))
    expect(reply.status).toBe(413)
    expect(reply.headers.get('connection')).toBe('close')
    expect(chunks).toBeLessThan(10)
  })

  it('refuse JSON that is nested too deep, wherever', async () => {
    const deep = `${'['.repeat(40)}${']'.repeat(40)}`
    const reply = await tenant.send('POST', '/jobs', `{"name":${deep}}`)
    expect(reply.body).toMatchObject({ status: 400, errors: [{ code: 'too_deep' }] })
    const deeper = await tenant.send('POST', '/jobs', '['.repeat(1000) + ']'.repeat(1000))
    expect(deeper.body).toMatchObject({ status: 400, errors: [{ code: 'too_deep' }] })
  })

  it('refuse lists that are too long', async () => {
    const small = await ApiWorld.open({ limits: { jsonItems: 10 } })
    const { send } = await small.tenant()
    const scopes = Array.from({ length: 11 }, () => 'read')
    const reply = await send('POST', '/keys', { name: 'k', scopes })
    expect(reply.body).toMatchObject({
      status: 400,
      field: 'scopes',
      errors: [{ code: 'too_many' }],
    })
    await small.close()
  })

  it('refuse JSON that has too many values in all, however they are nested', async () => {
    const small = await ApiWorld.open({ limits: { jsonValues: 50 } })
    const { send } = await small.tenant()
    const scopes = Array.from({ length: 7 }, () => ['read', 'read', 'read', 'read', 'read', 'read'])
    const reply = await send('POST', '/keys', { name: 'k', scopes })
    expect(reply.body).toMatchObject({ status: 400, field: 'body', errors: [{ code: 'too_many' }] })
    const fewer = await send('POST', '/keys', { name: 'k', scopes: scopes.slice(1) })
    expect(fewer.body.field).toBe('scopes')
    await small.close()
  })

  it.each([
    ['a zero character', '{"name":"a\\u0000b"}', 'name'],
    ['half a character', '{"name":"a\\ud800b"}', 'name'],
    ['__proto__', '{"name":"a","__proto__":{"x":1}}', '__proto__'],
  ])('refuse %s in a text', async (_, body, field) => {
    const reply = await tenant.send('POST', '/jobs', body)
    expect([reply.status, reply.body.field]).toEqual([400, field])
    expect((await tenant.send('GET', '/jobs?status=%00')).status).toBe(400)
  })

  it('hold a tenant to its requests a minute, and say how many are left', async () => {
    const quotas = { ...unlimited, requestsPerMinute: 3 }
    await world.store.tenant(tenant.id, ({ tenant: rows }) => rows.update({ quotas }))
    const replies = []
    for (let n = 0; n < 4; n++) replies.push(await tenant.send('GET', '/tenant'))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 429])
    const left = replies.map(({ headers }) => headers.get('ratelimit-remaining'))
    expect(left).toEqual(['2', '1', '0', '0'])
    const [last] = replies.slice(-1)
    expect(last!.body.code).toBe('rate_limited')
    expect(last!.headers.get('retry-after')).toBe('20')
    await world.clock.advanceBy(20_000)
    expect((await tenant.send('GET', '/tenant')).status).toBe(200)
    const other = await world.tenant('Other')
    expect((await other.send('GET', '/tenant')).status).toBe(200)
  })

  it('stop a network that tries keys, but not those there who have one', async () => {
    expect((await tenant.send('GET', '/tenant')).status).toBe(200)
    const guess = world.sender(`kron_00000000_${'0'.repeat(40)}`)
    const statuses = []
    for (let n = 0; n < 5; n++) statuses.push((await guess('GET', '/tenant')).status)
    expect(statuses).toEqual([401, 401, 401, 429, 429])
    expect((await world.sender(null)('GET', '/tenant')).status).toBe(429)
    expect((await tenant.send('GET', '/tenant')).status).toBe(200)
    await world.clock.advanceBy(20_000)
    expect((await tenant.send('GET', '/tenant')).status).toBe(200)
    expect((await guess('GET', '/tenant')).status).toBe(401)
  })

  it('let a key in that is new here, whatever strangers of its network send', async () => {
    const wrong = [`kron_00000000_${'0'.repeat(40)}`, 'x', 'kron_', 'y'.repeat(1000)]
    const statuses = []
    for (const key of [...wrong, ...wrong]) {
      statuses.push((await world.sender(key)('GET', '/tenant')).status)
    }
    expect(statuses).toEqual([401, 401, 401, 429, 429, 429, 429, 429])
    expect((await tenant.send('GET', '/tenant')).status).toBe(200)
  })

  it('look up so many new keys at a time, and so many more after them', async () => {
    const narrow = await ApiWorld.open({ limits: { keyLookUps: 1, keyLookUpsWaiting: 1 } })
    const { send } = await narrow.tenant()
    expect((await send('GET', '/tenant')).status).toBe(200)
    const guesses = Array.from({ length: 6 }, (_, n) =>
      narrow.sender(`kron_00000000_${String(n).repeat(40)}`)('GET', '/tenant'),
    )
    const met = send('GET', '/tenant')
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    expect(statuses).toEqual([401, 401, 429, 429, 429, 429])
    expect((await met).status).toBe(200)
    await narrow.close()
  })

  it('count what strangers send without success, and yet let them log in', async () => {
    const send = world.sender(null)
    const statuses = []
    for (const body of [{}, '{', { key: 'x' }, { key: 'x' }, {}]) {
      statuses.push((await send('POST', '/session', body)).status)
    }
    expect(statuses).toEqual([400, 400, 401, 429, 429])
    expect((await send('POST', '/session', { key: tenant.key })).status).toBe(201)
  })

  it('read little of what strangers send, and nothing if they may not sign up', async () => {
    const open = await ApiWorld.open({ signup: 'open', limits: { failuresPerMinute: 1 } })
    const send = open.sender(null)
    const large = await send('POST', '/session', { key: 'x'.repeat(5000) })
    expect(large.status).toBe(413)
    let pulls = 0
    const pull = () => void pulls++
    const body = new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 })
    const init = { method: 'POST', body, duplex: 'half' } as RequestInit
    expect((await open.app.request('/api/v1/tenants', init)).status).toBe(429)
    expect(pulls).toBe(0)
    await open.close()
  })
})
