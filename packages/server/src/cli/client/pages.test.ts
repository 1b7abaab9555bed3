import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ApiClient } from './api-client.js'
import { listed } from './pages.js'

describe('a list of 450 that comes in pages', () => {
  let server: Server
  let client: ApiClient
  let limits: number[]

  beforeEach(async () => {
    limits = []
    server = createServer((incoming, response) => {
      const { searchParams } = new URL(incoming.url!, 'http://localhost')
      const limit = Number(searchParams.get('limit'))
      const from = Number(searchParams.get('cursor') ?? 0)
      limits.push(limit)
      const end = Math.min(from + limit, 450)
      const items = Array.from({ length: end - from }, (_, n) => from + n)
      response.end(JSON.stringify({ items, nextCursor: end === 450 ? null : String(end) }))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    client = new ApiClient({
      server: new URL(`http://127.0.0.1:${port}`),
      key: 'kron_test',
      userAgent: 'test',
      signal: new AbortController().signal,
    })
  })
  afterEach(async () => {
    await client.close()
    await new Promise((resolve) => server.close(resolve))
  })

  it('is read to its end', async () => {
    const { items, more } = await listed<number>(client, '/jobs', {}, 10_000)
    expect(items).toEqual(Array.from({ length: 450 }, (_, n) => n))
    expect([more, limits]).toEqual([false, [200, 200, 200]])
  })

  it('is read no further than it is wanted', async () => {
    const { items, more } = await listed<number>(client, '/jobs', {}, 250)
    expect(items).toHaveLength(250)
    expect([more, limits]).toEqual([true, [200, 50]])
  })
})
