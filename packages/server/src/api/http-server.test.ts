import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { OpenAPIHono } from '@hono/zod-openapi'
import { systemClock } from '@kron/runtime'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ApiWorld, type TestTenant } from '../../testing/api/api-world.js'
import type { ApiEnv } from './api-ports.js'
import { type HttpServer, type HttpServerOptions, serveApi } from './http-server.js'

describe('the server', () => {
  let world: ApiWorld
  let tenant: TestTenant
  let server: HttpServer
  let stopping: AbortController

  beforeEach(async () => {
    stopping = new AbortController()
    world = await ApiWorld.open({ stopping: stopping.signal })
    tenant = await world.tenant()
    server = await serveApi(world.app, {
      port: 0,
      clock: world.clock,
      headersTimeoutMs: 150,
      requestTimeoutMs: 300,
      checkIntervalMs: 30,
      maxHeaderBytes: 4096,
      graceMs: 5000,
    })
  })
  afterEach(async () => {
    stopping.abort()
    await server.close()
    await world.close()
  })

  /** Sends these bytes and reads to the end of the connection. */
  async function exchange(text: string): Promise<string> {
    const socket = await dial()
    socket.write(text)
    return everything(socket)
  }

  async function dial(): Promise<Socket> {
    const socket = connect(server.port, '127.0.0.1')
    await once(socket, 'connect')
    return socket
  }

  async function everything(socket: Socket): Promise<string> {
    let seen = ''
    socket.on('data', (chunk) => {
      seen += chunk
    })
    socket.on('error', () => {})
    await once(socket, 'close')
    return seen
  }

  function problemIn(answer: string): { code: string; requestId: string } {
    const [head, body] = answer.split('\r\n\r\n')
    expect(head).toContain('application/problem+json')
    return JSON.parse(body!)
  }

  it.each(['', 'content-length: 2\r\n', 'content-length: 2\r\nexpect: 100-continue\r\n'])(
    'does not say again what TRACE says to it, but what it may be asked (%j)',
    async (headers) => {
      const trace = (path: string): Promise<string> =>
        exchange(
          `TRACE ${path} HTTP/1.1\r\nhost: x\r\ncookie: secret\r\n${headers}` +
            `connection: close\r\n\r\n${headers === '' ? '' : '{}'}`,
        )
      for (const [path, allow] of [
        ['/api/v1/jobs', 'GET, POST, HEAD'],
        ['/api/v1/session', 'POST, GET, DELETE, HEAD'],
        ['/healthz', 'GET, HEAD'],
      ] as const) {
        const answer = (await trace(path)).replace('HTTP/1.1 100 Continue\r\n\r\n', '')
        expect(answer).toMatch(/^HTTP\/1\.1 405 /)
        expect(answer).toContain(`\r\nallow: ${allow}\r\n`)
        expect(answer).not.toContain('secret')
        expect(problemIn(answer).code).toBe('method_not_allowed')
      }
      expect(await trace('/nothing')).toContain('HTTP/1.1 404 ')
    },
  )

  it('answers requests', async () => {
    const headers = { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ name: 'a' })
    const made = await fetch(`${server.url}/api/v1/jobs`, { method: 'POST', headers, body })
    expect(made.status).toBe(201)
    expect(await made.json()).toMatchObject({ name: 'a' })
    const head = await fetch(`${server.url}/api/v1/jobs`, { method: 'HEAD', headers })
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  it('cuts off a client that never ends its headers', async () => {
    const answer = await exchange('GET /healthz HTTP/1.1\r\nhost: x\r\n')
    expect(answer).toContain('HTTP/1.1 408')
    expect(problemIn(answer).code).toBe('request_timeout')
  })

  it('cuts off a client that never ends its body', async () => {
    const socket = await dial()
    socket.write(
      'POST /api/v1/jobs HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n' +
        `authorization: Bearer ${tenant.key}\r\ncontent-length: 100\r\n\r\n{"na`,
    )
    await everything(socket)
    expect((await tenant.send('GET', '/jobs')).body.items).toEqual([])
  })

  it('refuses a body that is too large before it has arrived', async () => {
    const answer = await exchange(
      'POST /api/v1/jobs HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n' +
        `authorization: Bearer ${tenant.key}\r\ncontent-length: 300000\r\n\r\n{"na`,
    )
    expect(answer).toContain('HTTP/1.1 413')
    expect(problemIn(answer).code).toBe('payload_too_large')
  })

  it('refuses headers that are too large', async () => {
    const answer = await exchange(`GET / HTTP/1.1\r\nhost: x\r\na: ${'x'.repeat(5000)}\r\n\r\n`)
    expect(answer).toContain('HTTP/1.1 431')
    expect(problemIn(answer).code).toBe('headers_too_large')
  })

  it.each([
    ['what is no HTTP', 'hello\r\n\r\n'],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab',
    ],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0',
    ],
    ['a host that is none', 'GET / HTTP/1.1\r\nhost: a b\r\nconnection: close\r\n\r\n'],
  ])('refuses %s', async (_, text) => {
    const answer = await exchange(text)
    expect(answer).toContain('HTTP/1.1 400')
    const { code, requestId } = problemIn(answer)
    expect(code).toBe('request_invalid')
    expect(requestId).toMatch(/^req_/)
  })

  it('refuses HTTP/1.1 that names no host, and lets HTTP/1.0 do so', async () => {
    const answer = await exchange('GET /healthz HTTP/1.1\r\n\r\n')
    expect(answer).toContain('HTTP/1.1 400')
    expect(problemIn(answer)).toMatchObject({ code: 'request_invalid' })
    expect(await exchange('GET /healthz HTTP/1.0\r\n\r\n')).toContain('HTTP/1.1 200')
  })

  it('refuses what it can not live up to', async () => {
    const answer = await exchange('GET /healthz HTTP/1.1\r\nhost: x\r\nexpect: foo\r\n\r\n')
    expect(answer).toContain('HTTP/1.1 417')
    expect(problemIn(answer)).toMatchObject({ code: 'expectation_failed' })
  })

  const post = (body: string): string =>
    'POST /api/v1/jobs HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n' +
    `authorization: Bearer ${tenant.key}\r\ncontent-length: ${body.length}\r\n\r\n${body}`

  it('answers a request in full though garbage follows it', async () => {
    const answer = await exchange(`${post('{"name":"a"}')}garbage\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1.1 201/)
    expect(answer.match(/HTTP\/1.1/g)).toHaveLength(1)
    expect((await tenant.send('GET', '/jobs')).body.items).toHaveLength(1)
  })

  it('answers a request in full though the next one never ends', async () => {
    const answer = await exchange(`${post('{"name":"a"}')}GET / HTTP`)
    expect(answer).toMatch(/^HTTP\/1.1 201/)
  })

  it('writes nothing between the events of a stream', async () => {
    const socket = await dial()
    socket.write(
      `GET /api/v1/events HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${tenant.key}\r\n\r\n`,
    )
    const [head] = await once(socket, 'data')
    expect(String(head)).toContain('HTTP/1.1 200')
    const rest = everything(socket)
    socket.write('garbage\r\n\r\n')
    expect(await rest).not.toContain('HTTP/1.1')
  })

  it('counts failures by the address that they come from', async () => {
    const limited = await ApiWorld.open({ limits: { failuresPerMinute: 2 } })
    const other = await serveApi(limited.app, { port: 0, clock: limited.clock })
    const statuses: number[] = []
    for (let n = 0; n < 3; n++) {
      const response = await fetch(`${other.url}/api/v1/jobs`)
      await response.text()
      statuses.push(response.status)
    }
    expect(statuses).toEqual([401, 401, 429])
    expect((await limited.sender(null)('GET', '/jobs')).status).toBe(401)
    await other.close()
    await limited.close()
  })

  it('closes when requests under way have ended, streams among them', async () => {
    const headers = { authorization: `Bearer ${tenant.key}` }
    const response = await fetch(`${server.url}/api/v1/events`, { headers })
    const text = response.text()
    stopping.abort()
    await server.close()
    expect(await text).toBe(': connected\n\n')
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow()
  })

  it('frees the place of a reader that hangs up', async () => {
    const headers = { authorization: `Bearer ${tenant.key}` }
    for (let n = 0; n < 25; n++) {
      const idle = world.clock.pending
      const controller = new AbortController()
      const { signal } = controller
      const response = await fetch(`${server.url}/api/v1/events`, { headers, signal })
      expect(response.status).toBe(200)
      // The first beat of the stream is planned after its head was sent.
      while (world.clock.pending <= idle) await setImmediate()
      controller.abort()
      while (world.clock.pending > idle) await setImmediate()
    }
  })
})

describe('a server with few places', () => {
  /** Answers more than any buffer on the way holds, and tells when that has ended. */
  async function largeAnswers(options: Partial<HttpServerOptions>) {
    const ended: (() => void)[] = []
    const app = new OpenAPIHono<ApiEnv>()
    app.get('/', (context) => {
      context.env.outgoing!.once('close', () => ended.shift()?.())
      return context.body(new Uint8Array(32 * 1024 * 1024))
    })
    const server = await serveApi(app, { port: 0, clock: systemClock(), ...options })
    const end = () => new Promise<void>((resolve) => void ended.push(resolve))
    return { server, end }
  }

  it('lets go of a reader that does not read', async () => {
    const { server, end } = await largeAnswers({ stalledMs: 100 })
    const cutOff = end()
    const socket = connect(server.port, '127.0.0.1').pause()
    socket.on('error', () => {})
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
    await cutOff
    socket.destroy()
    await server.close()
  })

  it('keeps a stream on which nothing happens', async () => {
    const stopping = new AbortController()
    const world = await ApiWorld.open({ stopping: stopping.signal })
    const { key, send } = await world.tenant()
    const server = await serveApi(world.app, { port: 0, clock: world.clock, stalledMs: 30 })
    const headers = { authorization: `Bearer ${key}` }
    const stream = await fetch(`${server.url}/api/v1/events`, { headers })
    const events = stream.body!.pipeThrough(new TextDecoderStream()).getReader()
    expect((await events.read()).value).toContain('connected')
    // As long as it takes to be cut off several times over.
    const { server: other, end } = await largeAnswers({ stalledMs: 200 })
    const cutOff = end()
    const socket = connect(other.port, '127.0.0.1').pause()
    socket.on('error', () => {})
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
    await cutOff
    await send('POST', '/jobs', { name: 'a' })
    expect((await events.read()).value).toContain('job.changed')
    socket.destroy()
    stopping.abort()
    for (const each of [server, other]) await each.close()
    await world.close()
  })

  it('takes no more connections than it has places', async () => {
    const { server } = await largeAnswers({ maxConnections: 1 })
    const first = connect(server.port, '127.0.0.1')
    await once(first, 'connect')
    const second = connect(server.port, '127.0.0.1')
    second.on('error', () => {})
    await once(second, 'close')
    expect(first.closed).toBe(false)
    first.destroy()
    await server.close()
  })
})
