import { ValidationError } from '@kron/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ApiWorld, type Reply } from '../../testing/api/api-world.js'
import { newJob } from '../../testing/api/sample.js'
import { TenantApi } from '../../testing/api/tenant-api.js'
import { type Store, StoreError } from '../store/index.js'
import { LocalSignals } from '../store/signals/local-signals.js'
import { problemCodes } from './problem.js'

function expectProblem({ status, headers, body }: Reply, code: keyof typeof problemCodes): void {
  expect(body).toMatchObject({ code, status, title: problemCodes[code].title })
  expect(status).toBe(problemCodes[code].status)
  expect(headers.get('content-type')).toBe('application/problem+json')
  expect(body.requestId).toBe(headers.get('x-request-id'))
}

/** A database that answers nothing but this. */
function failing(error: Error): Store {
  const fail = () => Promise.reject(error)
  return {
    name: 'sqlite',
    signals: new LocalSignals(),
    migrate: async () => {},
    time: fail,
    claim: fail,
    settleClaim: fail,
    record: fail,
    tenant: fail,
    read: fail,
    system: fail,
    close: async () => {},
  }
}

describe('a problem', () => {
  const api = new TenantApi()
  const { send } = api
  beforeEach(api.open)
  afterEach(api.close)

  it.each(['/nothing', '/jobs/', '/api/v2/jobs', '/api/v1', '/'])(
    'is a path that does not exist: %s',
    async (path) => {
      expectProblem(await send('GET', path), 'not_found')
    },
  )

  it('is a method that a path does not have, and the answer names those that it has', async () => {
    const reply = await send('PUT', '/jobs')
    expectProblem(reply, 'method_not_allowed')
    expect(reply.headers.get('allow')).toBe('GET, POST, HEAD')
    expectProblem(await send('OPTIONS', '/jobs/x'), 'method_not_allowed')
    expectProblem(await send('POST', '/api/v1/openapi.json'), 'method_not_allowed')
    expect((await api.world.app.request('/healthz', { method: 'POST' })).status).toBe(405)
  })

  it.each([
    ['text/plain', '{}'],
    ['application/x-www-form-urlencoded', 'name=a'],
    ['application/json; charset=latin1', '{"name":"a"}'],
    ['', '{"name":"a"}'],
  ])('is a body of the type %j', async (type, body) => {
    expectProblem(
      await send('POST', '/jobs', body, { 'content-type': type }),
      'media_type_unsupported',
    )
  })

  it('is a body that is compressed, or says that it is', async () => {
    const encoded = (encoding: string) =>
      send('POST', '/jobs', { name: encoding }, { 'content-encoding': encoding })
    for (const encoding of ['gzip', 'br', 'identity, gzip', '']) {
      expectProblem(await encoded(encoding), 'media_type_unsupported')
    }
    expect((await encoded('Identity')).status).toBe(201)
  })

  it.each([
    ['{"name":', 8],
    ['{"name":"a"} x', 13],
    ['{name:"a"}', 1],
  ])('is %s, which is no JSON, and the answer points at the place', async (text, position) => {
    const reply = await send('POST', '/jobs', text)
    expectProblem(reply, 'json_invalid')
    expect(reply.body.errors[0].position).toBe(position)
  })

  it('is a body that is no UTF-8, or none where one is needed', async () => {
    const init = {
      method: 'POST',
      headers: { authorization: 'Bearer x', 'content-type': 'application/json' },
      body: new Uint8Array([0xff, 0xfe]),
    }
    expect((await api.world.app.request('/api/v1/session', init)).status).toBe(400)
    expectProblem(await send('POST', '/jobs'), 'validation_failed')
    expectProblem(await send('POST', '/jobs', 'null'), 'validation_failed')
    expectProblem(await send('POST', '/jobs', '[]'), 'validation_failed')
  })

  it('names every field that is wrong, the first one by itself', async () => {
    const reply = await send('POST', '/keys', { name: 5, scopes: ['read', 'fly'], x: 1 })
    expectProblem(reply, 'validation_failed')
    expect(reply.body.field).toBe('name')
    const found = reply.body.errors.map(({ field, code }: { field: string; code: string }) => [
      field,
      code,
    ])
    expect(found).toEqual([
      ['name', 'wrong_type'],
      ['scopes.1', 'invalid_choice'],
      ['x', 'unknown_field'],
    ])
  })

  it('shows no more than the first twenty fields, and tells how many there are', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`nam${n}`, n]))
    const { body } = await send('POST', '/jobs', { name: 'a', ...unknown })
    expect(body.errors).toHaveLength(20)
    expect(body.detail).toContain('(and 499 more)')
  })

  it('calls a field without a name by what it is in', async () => {
    const inBody = await send('POST', '/jobs', { name: 'a', '': 1 })
    expect([inBody.status, inBody.body.field]).toEqual([400, 'body'])
    for (const path of ['/tenant?=', '/jobs?=1']) {
      const inQuery = await send('GET', path)
      expect([inQuery.status, inQuery.body.field]).toEqual([400, 'query'])
    }
  })

  it('cuts names that are too long to be shown', async () => {
    const job = await newJob(send)
    const long = 'x'.repeat(200_000)
    const endpoint = {
      name: 'a',
      url: 'https://x.example/',
      intervalMs: 5,
      headers: { [long]: 'y' },
    }
    for (const reply of [
      await send('POST', `/jobs/${job}/endpoints`, endpoint),
      await send('POST', '/jobs', { name: 'a', [long]: 1 }),
      await send('GET', `/tenant?${long.slice(0, 5000)}=1`),
    ]) {
      expectProblem(reply, 'validation_failed')
      expect(reply.body.field).toContain('x'.repeat(100))
      expect(reply.text.length).toBeLessThan(1500)
    }
  })

  it('with a body that is missing something says what', async () => {
    const reply = await send('POST', '/jobs', {})
    expect(reply.body.errors).toEqual([
      { field: 'name', code: 'required', message: 'name is required' },
    ])
  })

  it('of the database is one of a moment, and tells nothing about it', async () => {
    const store = failing(new StoreError('unavailable', 'password=secret', 'no'))
    const down = await ApiWorld.open({ store })
    const key = `kron_00000000_${'0'.repeat(40)}`
    const reply = await down.sender(key)('GET', '/jobs')
    expectProblem(reply, 'store_unavailable')
    expect(reply.headers.get('retry-after')).toBe('1')
    expect(reply.text).not.toContain('password')
    expect(down.logged.join()).toContain(reply.body.requestId)
    expect((await down.app.request('/readyz')).status).toBe(503)
    expect((await down.app.request('/healthz')).status).toBe(200)
  })

  it('that nobody expected tells its number only, and is logged', async () => {
    const store = failing(new TypeError('undefined is not a function'))
    const down = await ApiWorld.open({ store })
    const reply = await down.sender(`kron_00000000_${'0'.repeat(40)}`)('GET', '/jobs')
    expectProblem(reply, 'internal')
    expect(reply.text).not.toContain('undefined is not')
    expect(down.logged.join()).toContain('undefined is not a function')
    expect(down.logged.join()).toContain(reply.body.requestId)
  })
})

describe('what the engine refuses', () => {
  it('is no fault of a request that gave it nothing', async () => {
    const store = failing(new ValidationError('KRON_DURATION_TOO_LONG', 'too long', { field: 'x' }))
    const down = await ApiWorld.open({ store })
    const send = down.sender(`kron_00000000_${'0'.repeat(40)}`)
    expectProblem(await send('GET', '/tenant'), 'internal')
    expect(down.logged.join()).toContain('too long')
  })
})

describe('every answer', () => {
  it('has an id and the headers of safety, and no permission for other origins', async () => {
    const world = await ApiWorld.open({ publicUrl: 'https://kron.example.com' })
    const { send } = await world.tenant()
    const origin = { origin: 'https://evil.example.com' }
    for (const path of ['/jobs', '/nothing', '/api/v1/openapi.json']) {
      const { headers } = await send('GET', path, undefined, origin)
      expect(headers.get('x-request-id')).toMatch(/^req_/)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(headers.get('strict-transport-security')).toContain('max-age')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('access-control-allow-origin')).toBeNull()
    }
    await world.close()
  })

  it('to HEAD is that to GET without its body', async () => {
    const world = await ApiWorld.open()
    const { send } = await world.tenant()
    const [get, head] = [await send('GET', '/jobs'), await send('HEAD', '/jobs')]
    expect([get.status, head.status, head.text]).toEqual([200, 200, ''])
    expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'))
    await world.close()
  })

  it('is counted by its route, whatever ids are in the path', async () => {
    const world = await ApiWorld.open()
    const { send } = await world.tenant()
    for (const id of ['a', 'b', 'c']) await send('GET', `/jobs/${id}`)
    await send('GET', '/never/heard/of')
    const text = await (await world.app.request('/metrics')).text()
    const line = 'kron_http_requests_total{method="GET",route="/jobs/{jobId}",status="404"} 3'
    expect(text).toContain(line)
    expect(text).not.toContain('/never')
    await world.close()
  })
})
