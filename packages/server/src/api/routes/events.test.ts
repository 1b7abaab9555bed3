import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ApiWorld, type TestTenant } from '../../../testing/api/api-world.js'
import { Follower } from '../../../testing/api/follower.js'
import { newEndpoint, newJob } from '../../../testing/api/sample.js'
import { onBothStores } from '../../../testing/both-stores.js'
import { unlimited } from '../../domain/index.js'
import { createKey, inCall, suspendTenant } from '../../use-cases/index.js'

describe('the stream of events', () => {
  let world: ApiWorld
  let tenant: TestTenant
  const stopping = new AbortController()

  beforeEach(async () => {
    world = await ApiWorld.open({
      limits: { streamsPerTenant: 2, streamBacklog: 4 },
      stopping: stopping.signal,
    })
    tenant = await world.tenant()
  })
  afterEach(() => world.close())

  async function open(key = tenant.key): Promise<Response> {
    const headers = { authorization: `Bearer ${key}` }
    return world.app.request('/api/v1/events', { headers })
  }

  it('tells what happens, to the tenant that it happens to', async () => {
    const other = await world.tenant('Other')
    const response = await open()
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const follower = new Follower(response)
    await follower.until(': connected\n\n')
    await other.send('POST', '/jobs', { name: 'foreign' })
    const { body: job } = await tenant.send('POST', '/jobs', { name: 'own' })
    const data = {
      type: 'job.changed',
      subject: job.id,
      status: 'active',
      at: '2026-03-01T02:32:20Z',
    }
    const expected = `id: 1\nevent: job.changed\ndata: ${JSON.stringify(data)}\n\n`
    expect(await follower.until('\n\n')).toBe(expected)
    await follower.cancel()
  })

  it('says nothing of what was undone', async () => {
    const { send } = tenant
    const id = await newEndpoint(send, await newJob(send))
    await send('POST', `/endpoints/${id}/archive`)
    const quotas = { ...unlimited, endpoints: 0 }
    await world.store.tenant(tenant.id, (rows) => rows.tenant.update({ quotas }))
    const follower = new Follower(await open())
    await follower.until(': connected\n\n')
    expect((await send('POST', `/endpoints/${id}/resume`)).body.code).toBe('quota_exceeded')
    const other = await newJob(send, 'other')
    expect(await follower.until('\n\n')).toContain(other)
    await follower.cancel()
  })

  it('beats every 15 seconds', async () => {
    const follower = new Follower(await open())
    await follower.until(': connected\n\n')
    await world.clock.advanceBy(15_000)
    expect(await follower.until('\n\n')).toBe(': heartbeat\n\n')
    await follower.cancel()
  })

  it('ends when nobody can tell any more who may read it', async () => {
    const follower = new Follower(await open())
    await follower.until(': connected\n\n')
    await world.close()
    await world.clock.advanceBy(14_000)
    expect(world.logged.join()).toContain('watch_streams')
    await world.clock.advanceBy(1_000)
    expect(await follower.rest()).toBe(': heartbeat\n\n')
  })

  it('drops a reader that does not read, and forgets it', async () => {
    const response = await open()
    for (let n = 0; n < 10; n++) await tenant.send('POST', '/jobs', { name: `job ${n}` })
    const text = await new Follower(response).rest()
    expect(text.match(/event: /g)).toHaveLength(3)
    expect(world.clock.pending).toBe(0)
  })

  it('is open a limited number of times, and again after one was closed', async () => {
    const [first, second, third] = [await open(), await open(), await open()]
    expect([first.status, second.status, third.status]).toEqual([200, 200, 429])
    expect(third.headers.get('retry-after')).toBe('15')
    expect(await third.json()).toMatchObject({ code: 'too_many_streams' })
    await first.body!.cancel()
    const fourth = await open()
    expect(fourth.status).toBe(200)
    for (const response of [second, fourth]) await response.body!.cancel()
    expect(world.clock.pending).toBe(0)
  })

  it('is not begun by HEAD', async () => {
    for (let n = 0; n < 5; n++) expect((await tenant.send('HEAD', '/events')).status).toBe(200)
    expect(world.clock.pending).toBe(0)
  })

  it('ends when the server is about to stop', async () => {
    const follower = new Follower(await open())
    stopping.abort()
    expect(await follower.rest()).toBe(': connected\n\n')
  })
})

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
