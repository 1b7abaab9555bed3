import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ApiWorld } from '../../testing/api/api-world.js'
import { allOperations } from './create-api.js'

interface DocumentedResponse {
  readonly description: string
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>
  readonly content?: Record<string, object>
}

interface Documented {
  readonly operationId: string
  readonly summary: string
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
  readonly security: readonly object[]
  readonly responses: Readonly<Record<string, DocumentedResponse>>
  readonly requestBody?: { readonly content: Record<string, { readonly example?: unknown }> }
}

const operations = allOperations().map((operation) => [operation.operationId, operation] as const)

describe('the document of the API', () => {
  let world: ApiWorld
  let document: {
    openapi: string
    servers: readonly object[]
    paths: Record<string, Record<string, Documented>>
    components: {
      schemas: Record<string, { additionalProperties?: unknown }>
      headers: Record<string, object>
    }
  }

  beforeAll(async () => {
    world = await ApiWorld.open()
    document = (await world.sender(null)('GET', '/api/v1/openapi.json')).body
  })
  afterAll(() => world.close())

  it('is public and of version 3.1', () => {
    expect(document.openapi).toBe('3.1.0')
  })

  it('promises what holds: at most once a period, as the package does', () => {
    const file = new URL('../../package.json', import.meta.url)
    const { description } = JSON.parse(readFileSync(file, 'utf8')) as { description: string }
    for (const text of [description, JSON.stringify(document)]) {
      expect(text).toContain('at most once a period, whatever crashes')
      expect(text).not.toMatch(/exactly.once/i)
    }
  })

  it('has every operation, and no other', () => {
    const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, { operationId }]) => `${method} ${path} ${operationId}`,
      ),
    )
    const declared = operations.map(([id, { method, path }]) => `${method} /api/v1${path} ${id}`)
    expect(documented.sort()).toEqual(declared.sort())
    expect(new Set(operations.map(([id]) => id)).size).toBe(operations.length)
  })

  it.each(operations)('says of %s what it needs, gives and may refuse', (_, operation) => {
    const { method, path, scope, answer, body, query } = operation
    const documented = document.paths[`/api/v1${path}`]![method]!
    expect(documented.summary.length).toBeGreaterThan(8)
    expect(documented.security.length > 0).toBe(scope !== null)
    expect(documented.responses[String(answer.status)]).toBeDefined()
    for (const status of ['400', '429', '431', '500', '503']) {
      const content = documented.responses[status]!.content!
      expect(Object.keys(content)).toEqual(['application/problem+json'])
    }
    const named = (documented.parameters ?? []).map((parameter) => parameter.name)
    for (const [, name] of path.matchAll(/\{(\w+)\}/g)) expect(named).toContain(name)
    if (query !== undefined) {
      const shape = Object.keys((query as unknown as { shape: object }).shape)
      expect(named).toEqual(expect.arrayContaining(shape))
    }
    expect(documented.requestBody !== undefined).toBe(body !== undefined)
  })

  it.each([
    ['post', '/session', 401, 'unauthenticated'],
    ['get', '/session', 401, 'unauthenticated'],
    ['post', '/tenants', 404, 'not_found'],
    ['post', '/endpoints/{endpointId}/resume', 409, 'name_taken'],
    ['post', '/endpoints/{endpointId}/resume', 403, 'quota_exceeded'],
    ['post', '/endpoints/{endpointId}/pause', 409, 'name_taken'],
    ['delete', '/endpoints/{endpointId}/hints', 415, 'media_type_unsupported'],
  ])('says that %s %s may answer %d, %s', (method, path, status, code) => {
    const { responses } = document.paths[`/api/v1${path}`]![method]!
    expect(responses[status]?.description).toContain(`\`${code}\``)
  })

  it('says where the server is: where the document was found, unless it has a name', async () => {
    expect(document.servers).toEqual([{ url: '/' }])
    const named = await ApiWorld.open({ publicUrl: 'https://kron.example.com' })
    const { body } = await named.sender(null)('GET', '/api/v1/openapi.json')
    expect(body.servers).toEqual([{ url: 'https://kron.example.com' }])
    await named.close()
  })

  const patternAt = (path: string): RegExp => {
    let place: unknown = document
    for (const part of path.split(' ')) place = (place as Record<string, unknown>)[part]
    return new RegExp((place as { pattern: string }).pattern, 'u')
  }
  const ofSchema = (path: string) => `components schemas ${path}`
  const ofParameter = (path: string, method: string, n: number) =>
    `paths /api/v1${path} ${method} parameters ${n} schema`

  it.each([
    [ofSchema('NewJob properties name'), 'Sync users', 'a\u202eb'],
    [ofSchema('EndpointChange properties name'), 'é 👩\u200d🚀', ' '],
    [ofSchema('NewTenant properties name'), 'Example Inc.', 'a\nb'],
    [ofSchema('NewApiKey properties name'), 'ci', '\u0007'],
    [ofSchema('NewEndpoint properties url'), 'HTTPS://x.example/{{runId}}', 'ftp://x.example'],
    [ofSchema('NewEndpoint properties secret'), 'receiver', 'two words'],
    [ofSchema('NewEndpoint properties headers propertyNames'), 'x-a', 'a b'],
    [ofSchema('RequestBody properties contentType'), 'text/plain; charset=utf-8', 'té'],
    [ofSchema('NewSecret properties value'), `whsec_${'A'.repeat(32)}`, 'secret'],
    [ofSchema('LogIn properties key'), `kron_7h2k9d3m_${'0'.repeat(40)}`, 'kron'],
    [ofParameter('/jobs/{jobId}', 'get', 0), 'job_01k9x2v7m0e5s3q8r4t6w1y2zc', 'job_1'],
    [
      ofParameter('/endpoints/{endpointId}', 'get', 0),
      'ep_01k9x2v7m0e5s3q8r4t6w1y2zc',
      'job_01k9x2v7m0e5s3q8r4t6w1y2zc',
    ],
    [
      ofParameter('/runs/{runId}', 'get', 0),
      'run_01k9x2v7m0e5s3q8r4t6w1y2zc_mjd1k5c0',
      'ep_01k9x2v7m0e5s3q8r4t6w1y2zc',
    ],
    [ofParameter('/secrets/{name}', 'get', 0), 'default', '-x'],
    [ofParameter('/jobs', 'post', 0), 'setup-1', 'two words'],
    [ofParameter('/jobs/{jobId}', 'patch', 1), '"3", W/"4"', '3'],
  ])('says what %s looks like', (path, good, bad) => {
    expect([patternAt(path).test(good), patternAt(path).test(bad)]).toEqual([true, false])
  })

  it('says which answers have which headers', () => {
    const having = (name: string) =>
      Object.entries(document.paths).flatMap(([path, methods]) =>
        Object.entries(methods).flatMap(([method, { responses }]) =>
          Object.entries(responses)
            .filter(([, { headers }]) => headers?.[name] !== undefined)
            .map(([status]) => `${method} ${path.slice('/api/v1'.length)} ${status}`),
        ),
      )
    expect(having('Location')).toEqual([
      'post /jobs 201',
      'post /jobs/{jobId}/endpoints 201',
      'post /keys 201',
    ])
    expect(having('ETag')).toEqual(
      expect.arrayContaining([
        'get /jobs/{jobId} 200',
        'patch /endpoints/{endpointId} 200',
        'put /secrets/{name} 200',
        'put /secrets/{name} 201',
      ]),
    )
    expect(having('ETag')).not.toContain('get /jobs 200')
    const replayed = having('Idempotency-Replayed')
    expect(replayed).toEqual(expect.arrayContaining(['post /jobs 201', 'post /jobs 409']))
    expect(replayed.every((answer) => answer.startsWith('post '))).toBe(true)
    for (const name of ['Limit', 'Remaining', 'Reset']) {
      const limited = having(`RateLimit-${name}`)
      expect(limited).toEqual(expect.arrayContaining(['get /jobs 200', 'post /session 429']))
      expect(limited).not.toContain('get /jobs 401')
    }
    const retried = having('Retry-After').map((answer) => answer.split(' ').at(-1))
    expect(retried).toHaveLength(2 * operations.length)
    expect(new Set(retried)).toEqual(new Set(['429', '503']))
  })

  it('describes every header that it names', () => {
    const named = new Set<string>()
    for (const methods of Object.values(document.paths)) {
      for (const { responses } of Object.values(methods)) {
        for (const { headers = {} } of Object.values(responses)) {
          for (const { $ref } of Object.values(headers)) named.add($ref.split('/').at(-1)!)
        }
      }
    }
    expect([...named].sort()).toEqual(Object.keys(document.components.headers).sort())
  })

  it.each(operations)('has examples for %s that are right', (_, { answer, body, bodyExample }) => {
    if (answer.schema !== undefined) {
      expect(answer.schema.safeParse(answer.example).error?.issues).toBeUndefined()
      expect(answer.example).toBeDefined()
    }
    if (body !== undefined) {
      expect(bodyExample).toBeDefined()
      expect(body.safeParse(bodyExample).error?.issues).toBeUndefined()
    }
  })

  it('lets nobody send fields that do not exist', () => {
    for (const [, { body }] of operations) {
      if (body === undefined) continue
      const found = body.safeParse({ nobodyKnowsThis: 1 })
      const codes = found.error!.issues.map(({ code }) => code)
      expect(codes).toContain('unrecognized_keys')
    }
  })
})
