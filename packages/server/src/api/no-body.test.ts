import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newEndpoint } from '../../testing/api/sample.js'
import { TenantApi } from '../../testing/api/tenant-api.js'
import { allOperations } from './create-api.js'

const bodiless = allOperations().filter(
  ({ method, body }) => method !== 'get' && body === undefined,
)

describe('an operation that takes no body', () => {
  const api = new TenantApi()
  const { send } = api
  beforeEach(api.openWithJob)
  afterEach(api.close)

  it.each(bodiless.map(({ operationId, method, path }) => [operationId, method, path]))(
    'has no unknown fields either: %s',
    async (_, method, path) => {
      const filled = path.replaceAll(/\{\w+\}/g, 'any')
      const reply = await send(method.toUpperCase(), filled, { foo: 1 })
      expect([reply.status, reply.body.code]).toEqual([400, 'validation_failed'])
      expect(reply.body.errors).toEqual([
        { field: 'foo', code: 'unknown_field', message: 'foo is not known' },
      ])
    },
  )

  it('is done with an empty body or an empty object, whatever type is announced', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    for (const [body, headers] of [[undefined], ['', form], ['{}'], [' {} ']] as const) {
      const reply = await send('POST', `/jobs/${api.job}/pause`, body, headers)
      expect([reply.status, reply.body.status]).toEqual([200, 'paused'])
    }
  })

  it.each([
    ['{', 'json_invalid'],
    ['null', 'validation_failed'],
    ['[]', 'validation_failed'],
    ['{"__proto__":1}', 'validation_failed'],
  ])('is not done with %s', async (body, code) => {
    const reply = await send('POST', `/jobs/${api.job}/pause`, body)
    expect([reply.status, reply.body.code]).toEqual([400, code])
    expect((await send('GET', `/jobs/${api.job}`)).body.status).toBe('active')
  })

  it('is not done with text of another type', async () => {
    const text = { 'content-type': 'text/plain' }
    expect((await send('POST', `/jobs/${api.job}/pause`, 'foo', text)).status).toBe(415)
  })

  it('is the same request for an idempotency key with and without an empty object', async () => {
    const path = `/endpoints/${await newEndpoint(send, api.job)}/run`
    const key = { 'idempotency-key': 'once' }
    const first = await send('POST', path, undefined, key)
    const again = await send('POST', path, {}, key)
    expect([first.status, again.status]).toEqual([202, 202])
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect((await send('POST', path, { foo: 1 }, key)).status).toBe(400)
  })
})
