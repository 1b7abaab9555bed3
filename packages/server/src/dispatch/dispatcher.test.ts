import { afterEach, describe, expect, it } from 'vitest'
import { httpTarget, rawTarget, scriptedTarget } from '../../testing/dispatch/local-target.js'
import { never, request, Sandbox, textOf } from '../../testing/dispatch/sandbox.js'

const sandbox = new Sandbox()
afterEach(sandbox.close)

describe('an exchange', () => {
  it('sends method, path, headers and body, and takes what comes back', async () => {
    const target = await sandbox.up(
      httpTarget(async (incoming, response) => {
        const chunks = await incoming.toArray()
        response.writeHead(201, { 'X-Seen': 'yes', 'Set-Cookie': ['a=1', 'b=2'] })
        const { method, url, headers } = incoming
        response.end(JSON.stringify({ method, url, headers, body: chunks.join('') }))
      }),
    )
    let time = 100
    const result = await sandbox.dispatcher({ now: () => time++, userAgent: 'Kron/1' }).send(
      request(`${target.url}a/b?c=%20d#fragment`, {
        method: 'POST',
        headers: { 'X-Own': 'one', 'Content-Type': 'text/plain' },
        body: 'grüße',
      }),
      never,
    )
    expect(result).toMatchObject({ status: 'success', httpStatus: 201, truncated: false })
    expect(result.error).toBeNull()
    expect(result.headers['x-seen']).toBe('yes')
    expect(result.headers['set-cookie']).toBe('a=1, b=2')
    expect(result.startedAt).toBe(100)
    expect(result.endedAt).toBe(time - 1)
    expect(JSON.parse(textOf(result))).toEqual({
      method: 'POST',
      url: '/a/b?c=%20d',
      body: 'grüße',
      headers: {
        host: `127.0.0.1:${target.port}`,
        connection: 'keep-alive',
        'content-length': '7',
        'content-type': 'text/plain',
        'user-agent': 'Kron/1',
        'accept-encoding': 'identity',
        'x-own': 'one',
      },
    })
  })

  it('sends binary bodies as they are, and leaves encodings to those who ask for them', async () => {
    const target = await sandbox.up(
      httpTarget(async (incoming, response) => {
        response.setHeader('X-Encoding', incoming.headers['accept-encoding'] ?? '')
        response.end(Buffer.concat(await incoming.toArray()))
      }),
    )
    const body = Uint8Array.from({ length: 256 }, (_, byte) => byte)
    const result = await sandbox
      .dispatcher()
      .send(
        request(target.url, { method: 'PUT', body, headers: { 'Accept-Encoding': 'br' } }),
        never,
      )
    expect(result.body).toEqual(body)
    expect(result.headers['x-encoding']).toBe('br')
  })

  it.each([200, 204, 299])('with status %d is a success', async (status) => {
    const target = await sandbox.up(httpTarget((_, response) => response.writeHead(status).end()))
    const result = await sandbox.dispatcher().send(request(target.url), never)
    expect(result).toMatchObject({ status: 'success', httpStatus: status, error: null })
  })

  it.each([400, 404, 410, 500, 503])('with status %d is a failure', async (status) => {
    const target = await sandbox.up(
      httpTarget((_, response) => response.writeHead(status).end('no')),
    )
    const result = await sandbox.dispatcher().send(request(target.url), never)
    expect(result).toMatchObject({ status: 'failure', httpStatus: status, error: null })
    expect(textOf(result)).toBe('no')
  })

  it('passes over informational responses', async () => {
    const target = await sandbox.up(
      httpTarget((_, response) => {
        response.writeEarlyHints({ link: '</a>; rel=preload' })
        response.end('done')
      }),
    )
    const result = await sandbox.dispatcher().send(request(target.url), never)
    expect(result.httpStatus).toBe(200)
    expect(result.headers['link']).toBeUndefined()
  })

  it('takes an informational response for none when nothing follows', async () => {
    const early = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'
    const target = await sandbox.up(
      rawTarget((socket) => socket.on('data', () => socket.end(early))),
    )
    const result = await sandbox.dispatcher().send(request(target.url), never)
    expect(result).toMatchObject({ status: 'failure', httpStatus: null, headers: {} })
    expect(result.error?.code).toBe('connection_reset')
  })

  it('keeps the first hundred headers, whatever their names', async () => {
    const many = Array.from({ length: 150 }, (_, n) => `x-${n}: ${n}\r\n`).join('')
    const target = await sandbox.up(
      scriptedTarget(`HTTP/1.1 200 OK\r\n__proto__: p\r\n${many}content-length: 0\r\n\r\n`),
    )
    const { headers } = await sandbox.dispatcher().send(request(target.url), never)
    expect(Object.keys(headers)).toHaveLength(100)
    expect(Object.entries(headers)[0]).toEqual(['__proto__', 'p'])
    expect(headers['x-98']).toBe('98')
  })

  it('uses a connection again when the one before is over', async () => {
    const target = await sandbox.up(httpTarget((_, response) => response.end('ok')))
    const sender = sandbox.dispatcher()
    for (let n = 0; n < 5; n++) {
      expect(await sender.send(request(target.url), never)).toMatchObject({ status: 'success' })
    }
    expect(target.connections).toBe(1)
  })

  it('opens a connection again that the target closes after each answer', async () => {
    const target = await sandbox.up(
      httpTarget((_, response) => response.setHeader('connection', 'close').end('ok')),
    )
    const sender = sandbox.dispatcher({ maxConnections: 1 })
    const sent = Array.from({ length: 5 }, () => sender.send(request(target.url), never))
    for (const result of await Promise.all(sent)) expect(result.status).toBe('success')
    expect(target.connections).toBe(5)
  })

  it('does not use connections that are old or were unused for long', async () => {
    const target = await sandbox.up(httpTarget((_, response) => response.end('ok')))
    let time = 0
    const sender = sandbox.dispatcher({ now: () => time })
    const counts: number[] = []
    for (const passedMs of [0, 1_500, 1_501, 1_000, -1]) {
      time += passedMs
      await sender.send(request(target.url), never)
      counts.push(target.connections)
    }
    expect(counts).toEqual([1, 1, 2, 2, 3])
    for (let seconds = 0; seconds < 62; seconds++) {
      time += 1_000
      await sender.send(request(target.url), never)
    }
    expect(target.connections).toBe(4)
  })
})

describe('a response body', () => {
  const target = () => sandbox.up(httpTarget((_, response) => response.end('0123456789')))

  it('is cut at the limit, and the connection is given up', async () => {
    const closed = Promise.withResolvers<void>()
    const endless = await sandbox.up(
      httpTarget((_, response) => {
        response.on('close', closed.resolve)
        const more = (): void => {
          while (response.write('x'.repeat(10_000)));
          response.once('drain', more)
        }
        more()
      }),
    )
    const limits = { maxResponseBytes: 12_345 }
    const result = await sandbox.dispatcher().send(request(endless.url, limits), never)
    expect(result).toMatchObject({ status: 'success', httpStatus: 200, truncated: true })
    expect(textOf(result)).toBe('x'.repeat(12_345))
    await closed.promise
  })

  it.each([
    [0, '', true],
    [9, '012345678', true],
    [10, '0123456789', false],
    [11, '0123456789', false],
  ])('of ten bytes under a limit of %d is %j', async (maxResponseBytes, kept, truncated) => {
    const { url } = await target()
    const result = await sandbox.dispatcher().send(request(url, { maxResponseBytes }), never)
    expect(textOf(result)).toBe(kept)
    expect(result).toMatchObject({ truncated, status: 'success' })
  })

  it('that is cut leaves a failure a failure', async () => {
    const { url } = await sandbox.up(
      httpTarget((_, response) => response.writeHead(500).end('long')),
    )
    const result = await sandbox.dispatcher().send(request(url, { maxResponseBytes: 2 }), never)
    expect(result).toMatchObject({ status: 'failure', httpStatus: 500, truncated: true })
  })

  it('in many pieces is put together', async () => {
    const pieces = Array.from({ length: 3_000 }, (_, n) => `${n};`)
    const { url } = await sandbox.up(
      httpTarget((_, response) => {
        for (const piece of pieces) response.write(piece)
        response.end()
      }),
    )
    expect(textOf(await sandbox.dispatcher().send(request(url), never))).toBe(pieces.join(''))
  })

  it('has memory of its own', async () => {
    const { url } = await target()
    const { body } = await sandbox.dispatcher().send(request(url), never)
    expect(body.buffer.byteLength).toBe(10)
  })
})
