import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { type Answer, answerJson } from '../../../testing/http/fake-api-server.js'
import { Sandbox } from '../../../testing/http/sandbox.js'
import { ApiFailure } from '../api-failure.js'
import { jobs } from '../kube-object.js'
import type { HttpKubeApiOptions } from './http-kube-api.js'

const sandbox = new Sandbox()
afterEach(sandbox.close)

const name = { namespace: 'team-a', name: 'a' }
const path = '/apis/batch/v1/namespaces/team-a/jobs/a'

async function failureOf(answer: Answer, options?: HttpKubeApiOptions): Promise<ApiFailure> {
  const server = await sandbox.serve(answer)
  const failure = await sandbox
    .client(server.source, options)
    .get(jobs, name)
    .catch((error) => error)
  expect(failure).toBeInstanceOf(ApiFailure)
  return failure
}

describe('a request that the API server refuses', () => {
  const status = {
    kind: 'Status',
    message: 'the namespace is being terminated',
    reason: 'Forbidden',
    details: { causes: [{ reason: 'NamespaceTerminating', field: 'x' }, { message: 'no reason' }] },
    code: 403,
  }

  it('fails with what its Status says', async () => {
    const failure = await failureOf((_, response) => answerJson(response, status, 403))
    expect(failure).toMatchObject({
      message: 'the namespace is being terminated',
      status: 403,
      reason: 'Forbidden',
      causes: ['NamespaceTerminating'],
      retryAfterMs: null,
      isAmbiguous: false,
    })
  })

  it.each([
    ['the header', { 'retry-after': '3' }, {}, 3000],
    ['the Status', {}, { retryAfterSeconds: 2 }, 2000],
    ['the header first', { 'retry-after': '3' }, { retryAfterSeconds: 2 }, 3000],
    ['neither', { 'retry-after': 'soon' }, {}, null],
  ])('is to be repeated when %s says', async (_, headers, details, retryAfterMs) => {
    const failure = await failureOf((_request, response) => {
      response.writeHead(429, headers)
      response.end(JSON.stringify({ kind: 'Status', reason: 'TooManyRequests', details }))
    })
    expect(failure).toMatchObject({ status: 429, reason: 'TooManyRequests', retryAfterMs })
  })

  it('since it took the server too long may have taken effect', async () => {
    const timeout = { kind: 'Status', reason: 'Timeout', message: 'request did not complete' }
    const failure = await failureOf((_, response) => answerJson(response, timeout, 504))
    expect(failure).toMatchObject({ status: 504, reason: 'Timeout', isAmbiguous: true })
  })

  it.each([
    [502, '<h1>Bad\n  Gateway</h1>', ': <h1>Bad Gateway</h1>'],
    [500, '', ''],
    [302, '{"kind":"Other"}', ': {"kind":"Other"}'],
    [400, '[1', ': [1'],
  ])('with %i by something in between shows what it said', async (code, body, shown) => {
    const failure = await failureOf((_, response) => response.writeHead(code).end(body))
    const message = `GET ${path} was answered with ${code}${shown}`
    expect(failure).toMatchObject({ status: code, reason: '', causes: [], message })
  })
})

describe('a request without a whole answer', () => {
  const torn = (response: ServerResponse, headers: Record<string, string>): void => {
    response.writeHead(200, headers).write('{"metadata"', () => response.socket?.destroy())
  }
  const limited = { timeoutMs: 50 }
  const cases: [string, Answer, HttpKubeApiOptions, RegExp][] = [
    ['has no time left for headers', () => {}, limited, /no answer within 0.05 s/],
    [
      'has no time left for the body',
      (_, response) => response.writeHead(200).write('{'),
      limited,
      /no answer within 0.05 s/,
    ],
    ['is cut off before', (request) => request.socket.destroy(), {}, /other side closed/],
    ['is reset', (request) => request.socket.resetAndDestroy(), {}, /ECONNRESET/],
    [
      'is cut off midway',
      (_, response) => torn(response, { 'content-length': '99' }),
      {},
      /closed/,
    ],
    ['is cut off between chunks', (_, response) => torn(response, {}), {}, /closed/],
    ['is no HTTP', (request) => request.socket.end('what?'), {}, /./],
    ['is no JSON', (_, response) => response.end('{"metadata":'), {}, /it is not JSON/],
    ['is no object', (_, response) => response.end('"yes"'), {}, /it is not an object/],
    ['has no metadata', (_, response) => response.end('{}'), {}, /it is not an object/],
    [
      'is longer than allowed',
      (_, response) => answerJson(response, { text: 'x'.repeat(2000) }),
      { maxAnswerBytes: 1000 },
      /max size/,
    ],
  ]

  it.each(cases)('which %s may have taken effect', async (_, answer, options, message) => {
    const failure = await failureOf(answer, options)
    expect(failure).toMatchObject({ status: null, isAmbiguous: true })
    expect(failure.message).toMatch(message)
    expect(failure.message).toContain(path)
  })

  it('because nobody listens is one as well', async () => {
    const server = await sandbox.serve(() => {})
    const api = sandbox.client(server.source)
    await server.close()
    await expect(api.get(jobs, name)).rejects.toMatchObject({
      status: null,
      message: expect.stringContaining('ECONNREFUSED'),
    })
  })

  it('fails while it waits for credentials, too', async () => {
    const server = await sandbox.serve(() => {})
    const read = () => new Promise<never>(() => {})
    const api = sandbox.client({ ...server.source, read }, limited)
    await expect(api.get(jobs, name)).rejects.toMatchObject({ status: null })
    const caller = new AbortController()
    const getting = api.get(jobs, name, caller.signal)
    caller.abort(new Error('changed my mind'))
    await expect(getting).rejects.toBe(caller.signal.reason)
  })
})

describe('a request that its caller gives up', () => {
  it('fails with the reason, and its connection is closed', async () => {
    const caller = new AbortController()
    const reason = new Error('changed my mind')
    const closed = Promise.withResolvers<void>()
    const server = await sandbox.serve((request) => {
      request.socket.once('close', () => closed.resolve())
      caller.abort(reason)
    })
    const api = sandbox.client(server.source)
    await expect(api.get(jobs, name, caller.signal)).rejects.toBe(reason)
    await closed.promise
  })

  it('before it was sent is not sent', async () => {
    const server = await sandbox.serve((_, response) => answerJson(response, {}))
    const api = sandbox.client(server.source)
    const signal = AbortSignal.abort(new Error('never mind'))
    await expect(api.get(jobs, name, signal)).rejects.toBe(signal.reason)
    expect(server.requests).toEqual([])
  })
})
