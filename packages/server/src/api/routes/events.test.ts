import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { unlimited } from '../../domain/index.js'
import { ApiWorld, type TestTenant } from '../testing/api-world.js'
import { newEndpoint, newJob } from '../testing/sample.js'

/** Reads a stream piece by piece. */
class Follower {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>
  #text = ''

  constructor(response: Response) {
    this.#reader = response.body!.getReader()
  }

  /** Everything up to and with this text. */
  async until(text: string): Promise<string> {
    while (!this.#text.includes(text)) {
      const { done, value } = await this.#reader.read()
      if (done) throw new Error(`the stream ended after ${JSON.stringify(this.#text)}`)
      this.#text += new TextDecoder().decode(value)
    }
    const end = this.#text.indexOf(text) + text.length
    const [seen, rest] = [this.#text.slice(0, end), this.#text.slice(end)]
    this.#text = rest
    return seen
  }

  /** All that is left, once it has ended. */
  async rest(): Promise<string> {
    for (;;) {
      const { done, value } = await this.#reader.read()
      if (done) return this.#text
      this.#text += new TextDecoder().decode(value)
    }
  }

  cancel(): Promise<void> {
    return this.#reader.cancel()
  }
}

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

  it('ends for a key that was revoked', async () => {
    const key = await world.keyWith(tenant.id, ['read'])
    const follower = new Follower(await open(key))
    const { items } = (await tenant.send('GET', '/keys')).body
    const { id } = items.find(({ name }: { name: string }) => name === 'read')
    await tenant.send('DELETE', `/keys/${id}`)
    await world.clock.advanceBy(15_000)
    expect(await follower.rest()).not.toContain('heartbeat')
  })

  it('ends for a session that was logged out', async () => {
    const send = world.sender(null)
    const logIn = await send('POST', '/session', { key: tenant.key })
    const headers = { cookie: logIn.headers.get('set-cookie')!.split(';')[0]! }
    const follower = new Follower(await world.app.request('/api/v1/events', { headers }))
    await follower.until(': connected\n\n')
    await send('DELETE', '/session', undefined, headers)
    await world.clock.advanceBy(15_000)
    expect(await follower.rest()).not.toContain('heartbeat')
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
