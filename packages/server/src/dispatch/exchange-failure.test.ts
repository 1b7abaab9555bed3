import { afterEach, describe, expect, it } from 'vitest'
import { httpTarget, rawTarget, scriptedTarget } from '../../testing/dispatch/local-target.js'
import { never, request, Sandbox, textOf } from '../../testing/dispatch/sandbox.js'

const sandbox = new Sandbox()
afterEach(sandbox.close)

describe('a target that fails', () => {
  const codeOf = async (url: string): Promise<string> => {
    const { status, error } = await sandbox.dispatcher().send(request(url), never)
    expect(status).toBe('failure')
    return error!.code
  }

  it('by not listening is connect_failed', async () => {
    const target = await httpTarget(() => {})
    await target.close()
    expect(await codeOf(target.url)).toBe('connect_failed')
  })

  it('by not existing is dns_failed', async () => {
    const resolve = () => Promise.reject(new Error('no such name'))
    const { error } = await sandbox
      .dispatcher({ resolve })
      .send(request('http://nowhere.test/'), never)
    expect(error).toEqual({
      code: 'dns_failed',
      message: "can't resolve nowhere.test: no such name",
    })
  })

  it('by having no address is dns_failed', async () => {
    const resolve = () => Promise.resolve([])
    const { error } = await sandbox
      .dispatcher({ resolve })
      .send(request('http://nowhere.test/'), never)
    expect(error?.code).toBe('dns_failed')
  })

  it('by never answering a look-up is connect_timeout', async () => {
    const resolve = () => new Promise<never>(() => {})
    const sender = sandbox.dispatcher({ resolve, connectTimeoutMs: 20 })
    const result = await sender.send(request('http://slow.test/'), never)
    expect(result).toMatchObject({ status: 'timeout', error: { code: 'connect_timeout' } })
  })

  it('by closing at once is connection_reset', async () => {
    const target = await sandbox.up(rawTarget((socket) => socket.destroy()))
    expect(await codeOf(target.url)).toBe('connection_reset')
  })

  it('by closing within the headers is connection_reset', async () => {
    const target = await sandbox.up(
      rawTarget((socket) => socket.on('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-'))),
    )
    expect(await codeOf(target.url)).toBe('connection_reset')
  })

  it.each([
    ['counted', 'content-length: 10\r\n\r\n12345'],
    ['chunked', 'transfer-encoding: chunked\r\n\r\n5\r\n12345\r\n'],
    ['counted last', 'connection: close\r\ncontent-length: 10\r\n\r\n12345'],
    ['chunked last', 'connection: close\r\ntransfer-encoding: chunked\r\n\r\n5\r\n12345\r\n'],
  ])('by closing within a %s body is connection_reset, with what came', async (_, rest) => {
    const target = await sandbox.up(
      rawTarget((socket) => socket.on('data', () => socket.end(`HTTP/1.1 200 OK\r\n${rest}`))),
    )
    const result = await sandbox.dispatcher().send(request(target.url), never)
    expect(result).toMatchObject({
      status: 'failure',
      httpStatus: 200,
      error: { code: 'connection_reset' },
    })
    expect(textOf(result)).toBe('12345')
  })

  it.each([
    ['no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'],
    [
      'a protocol to switch to',
      'HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
    ],
    ['headers without end', `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(20_000)}`],
  ])('by sending %s is response_invalid', async (_, response) => {
    const target = await sandbox.up(scriptedTarget(response))
    expect(await codeOf(target.url)).toBe('response_invalid')
  })

  it('by answering twice does not answer the next request', async () => {
    const answer = (words: string): string =>
      `HTTP/1.1 200 OK\r\ncontent-length: ${words.length}\r\n\r\n${words}`
    const target = await sandbox.up(scriptedTarget(answer('mine') + answer('forged')))
    const sender = sandbox.dispatcher({ maxConnections: 1 })
    const sent = Array.from({ length: 5 }, () => sender.send(request(target.url), never))
    for (const result of await Promise.all(sent)) expect(textOf(result)).toBe('mine')
  })
})
