import { ValidationError } from '@kron/core'
import { afterEach, describe, expect, it } from 'vitest'
import { httpTarget } from '../../testing/dispatch/local-target.js'
import { never, request, Sandbox } from '../../testing/dispatch/sandbox.js'
import { createAddressGuard, createDispatcher, type ExchangeRequest } from './index.js'

const sandbox = new Sandbox()
afterEach(sandbox.close)

describe('a request is refused before anything is opened', () => {
  const cases: [what: string, code: string, rest: Partial<ExchangeRequest>][] = [
    ['a path alone', 'url_invalid', { url: '/path' }],
    ['another scheme', 'url_invalid', { url: 'ftp://127.0.0.1/' }],
    ['a file', 'url_invalid', { url: 'file:///etc/passwd' }],
    ['a port beyond all ports', 'url_invalid', { url: 'http://127.0.0.1:65536/' }],
    ['a user name', 'url_invalid', { url: 'http://user@127.0.0.1/' }],
    ['a password', 'url_invalid', { url: 'http://:secret@127.0.0.1/' }],
    ['a method with a space', 'request_invalid', { method: 'GET /x' }],
    ['a method with a line break', 'request_invalid', { method: 'GET\r\nX' }],
    ['an empty method', 'request_invalid', { method: '' }],
    ['CONNECT', 'request_invalid', { method: 'CONNECT' }],
    ['trace', 'request_invalid', { method: 'trace' }],
    ['a line break in a value', 'request_invalid', { headers: { a: 'b\r\nc: d' } }],
    ['a bare line feed in a value', 'request_invalid', { headers: { a: 'b\nc: d' } }],
    ['a null byte in a value', 'request_invalid', { headers: { a: 'b\0' } }],
    ['a value beyond Latin-1', 'request_invalid', { headers: { a: '\u010a' } }],
    ['a line break in a name', 'request_invalid', { headers: { 'a\r\nb': 'c' } }],
    ['a colon in a name', 'request_invalid', { headers: { 'a:b': 'c' } }],
    ['an empty name', 'request_invalid', { headers: { '': 'c' } }],
    ['a Host', 'request_invalid', { headers: { Host: 'other' } }],
    ['a Content-Length', 'request_invalid', { headers: { 'Content-Length': '1' } }],
    ['a Transfer-Encoding', 'request_invalid', { headers: { 'transfer-encoding': 'chunked' } }],
    ['an HTTP2-Settings', 'request_invalid', { headers: { 'HTTP2-Settings': 'x' } }],
    ['a Connection', 'request_invalid', { headers: { Connection: 'close' } }],
    ['no time', 'request_invalid', { timeoutMs: 0 }],
    ['no number for its time', 'request_invalid', { timeoutMs: Number.NaN }],
    ['less than no bytes', 'request_invalid', { maxResponseBytes: -1 }],
  ]
  it.each(cases)('for %s: %s', async (_, code, rest) => {
    const target = await sandbox.up(httpTarget((_, response) => response.end()))
    const result = await sandbox.dispatcher().send(request(target.url, rest), never)
    expect(result).toMatchObject({ status: 'failure', httpStatus: null, error: { code } })
    expect(result.error?.message).not.toMatch(/[\r\n\0]|secret/)
    expect(target.connections).toBe(0)
  })

  it('and the reason names the header, not its value', async () => {
    const { error } = await sandbox
      .dispatcher()
      .send(request('http://127.0.0.1/', { headers: { 'X-Key': 'hidden\n' } }), never)
    expect(error?.message).toBe('the value of header x-key has characters that no header may have')
  })

  it('and options without sense are refused at once', () => {
    const addressGuard = createAddressGuard()
    for (const options of [{ maxConnections: 0 }, { maxConnectionsPerOrigin: 1.5 }]) {
      expect(() => createDispatcher({ addressGuard, now: Date.now, ...options })).toThrow(
        ValidationError,
      )
    }
  })
})
