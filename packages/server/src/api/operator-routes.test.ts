import { tzdataVersion } from '@kron/core'
import { MetricRegistry } from '@kron/runtime'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ApiWorld, replyOf } from '../../testing/api/api-world.js'
import { allOperations } from './create-api.js'
import { createOperatorApp } from './operator-routes.js'

let world: ApiWorld
let get: (path: string, method?: string) => ReturnType<typeof replyOf>

beforeEach(async () => {
  world = await ApiWorld.open()
  const app = createOperatorApp({ ...world.options, metrics: new MetricRegistry() })
  get = async (path, method = 'GET') => replyOf(await app.request(path, { method }))
})
afterEach(() => world.close())

describe('a process without the API', () => {
  it('tells whether it lives and is ready, of which version, and what it counted', async () => {
    const versions = { version: expect.stringMatching(/^\d+\.\d+\.\d+/), tzdata: tzdataVersion }
    const [alive, ready] = [await get('/healthz'), await get('/readyz')]
    expect([alive.status, alive.body]).toEqual([200, { status: 'alive', ...versions }])
    expect([ready.status, ready.body]).toEqual([200, { status: 'ready', ...versions }])
    expect((await get('/metrics')).text).toContain('kron_http_requests_total{')
  })

  it('has nothing else', async () => {
    for (const { path } of allOperations()) {
      expect((await get(`/api/v1${path}`)).body).toMatchObject({ status: 404, code: 'not_found' })
    }
    expect((await get('/api/v1/openapi.json')).status).toBe(404)
  })

  it('says which methods its paths have', async () => {
    const { status, headers } = await get('/healthz', 'POST')
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })
})

it('a process whose database is gone lives, and is not ready', async () => {
  const other = await ApiWorld.open()
  const app = createOperatorApp({ ...other.options, metrics: new MetricRegistry() })
  await other.close()
  const status = async (path: string) => (await app.request(path)).status
  expect([await status('/healthz'), await status('/readyz')]).toEqual([200, 503])
})
