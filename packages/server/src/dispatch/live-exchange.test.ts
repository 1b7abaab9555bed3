import { afterEach, describe, expect, it } from 'vitest'
import { httpTarget, rawTarget } from '../../testing/dispatch/local-target.js'
import { never, request, Sandbox, textOf } from '../../testing/dispatch/sandbox.js'
import { Stop } from './stop.js'

const sandbox = new Sandbox()
afterEach(sandbox.close)

describe('an exchange ends early', () => {
  it.each<[when: string, answer: string]>([
    ['while nothing comes', ''],
    ['within the headers', 'HTTP/1.1 200 OK\r\n'],
    ['within the body', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n12345'],
  ])('by its time limit %s', async (when, answer) => {
    const closed = Promise.withResolvers<void>()
    const target = await sandbox.up(
      rawTarget((socket) => {
        socket.on('data', () => socket.write(answer)).on('close', () => closed.resolve())
      }),
    )
    const result = await sandbox.dispatcher().send(request(target.url, { timeoutMs: 50 }), never)
    expect(result).toMatchObject({ status: 'timeout', error: { code: 'timeout' } })
    expect(textOf(result)).toBe(when === 'within the body' ? '12345' : '')
    await closed.promise
  })

  it('by its time limit while it is in line for a connection', async () => {
    const arrived = Promise.withResolvers<void>()
    const target = await sandbox.up(httpTarget(() => arrived.resolve()))
    const sender = sandbox.dispatcher({ maxConnectionsPerOrigin: 1 })
    const stop = new Stop()
    const first = sender.send(request(target.url), stop)
    await arrived.promise
    const second = await sender.send(request(target.url, { timeoutMs: 20 }), never)
    expect(second).toMatchObject({ status: 'timeout', httpStatus: null })
    stop.stop('test')
    expect(await first).toMatchObject({ status: 'cancelled', error: { code: 'cancelled' } })
  })

  it('by its time limit in line for the target of a redirect, without the answer before', async () => {
    const arrived = Promise.withResolvers<void>()
    const busy = await sandbox.up(httpTarget(() => arrived.resolve()))
    const target = await sandbox.up(
      httpTarget((_, response) => response.writeHead(302, { location: busy.url }).end('moved')),
    )
    const sender = sandbox.dispatcher({ maxConnectionsPerOrigin: 1 })
    void sender.send(request(busy.url), never)
    await arrived.promise
    const limits = { timeoutMs: 200, redirects: 'follow' } as const
    const result = await sender.send(request(target.url, limits), never)
    expect(result).toMatchObject({ status: 'timeout', httpStatus: null, headers: {} })
    expect(textOf(result)).toBe('')
  })

  it('by its time limit while TLS is being agreed on', async () => {
    const closed = Promise.withResolvers<void>()
    const target = await sandbox.up(
      rawTarget((socket) => socket.on('close', () => closed.resolve())),
    )
    const url = target.url.replace('http:', 'https:')
    const result = await sandbox.dispatcher().send(request(url, { timeoutMs: 50 }), never)
    expect(result.status).toBe('timeout')
    await closed.promise
  })

  it('by its stop, without touching those that have another', async () => {
    const answers: (() => void)[] = []
    const all = Promise.withResolvers<void>()
    const target = await sandbox.up(
      httpTarget((_, response) => {
        if (answers.push(() => response.end('ok')) === 3) all.resolve()
      }),
    )
    const sender = sandbox.dispatcher()
    const [one, other] = [new Stop(), new Stop()]
    const cancelled = [1, 2].map(() => sender.send(request(target.url), one))
    const kept = sender.send(request(target.url), other)
    await all.promise
    one.stop('test')
    for (const result of await Promise.all(cancelled)) expect(result.status).toBe('cancelled')
    for (const answer of answers) answer()
    expect(await kept).toMatchObject({ status: 'success' })
  })

  it('by a stop that it shared with one that is over', async () => {
    const target = await sandbox.up(
      httpTarget((incoming, response) => {
        if (incoming.url === '/answered') response.end()
      }),
    )
    const sender = sandbox.dispatcher()
    const stop = new Stop()
    const waiting = sender.send(request(target.url), stop)
    await sender.send(request(`${target.url}answered`), stop)
    stop.stop('test')
    expect((await waiting).status).toBe('cancelled')
  })

  it('and leaves neither listeners nor timers behind', async () => {
    const target = await sandbox.up(httpTarget((_, response) => response.end()))
    const sender = sandbox.dispatcher()
    const stop = new Stop()
    const timers = (): number =>
      process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    const before = timers()
    const limits = { timeoutMs: 1_000_000 }
    const sent = Array.from({ length: 50 }, () => sender.send(request(target.url, limits), stop))
    expect(stop.size).toBe(50)
    await Promise.all(sent)
    expect(stop.size).toBe(0)
    expect(timers()).toBeLessThan(before + 25)
  })

  it('by a stop that came before', async () => {
    const target = await sandbox.up(httpTarget((_, response) => response.end()))
    const stop = new Stop()
    stop.stop('test')
    const result = await sandbox.dispatcher().send(request(target.url), stop)
    expect(result).toMatchObject({ status: 'cancelled', httpStatus: null })
    expect(target.connections).toBe(0)
  })

  it('by closing the dispatcher, which then takes no more', async () => {
    const arrived = Promise.withResolvers<void>()
    const target = await sandbox.up(httpTarget(() => arrived.resolve()))
    const sender = sandbox.dispatcher({ maxConnectionsPerOrigin: 1 })
    const sent = [1, 2, 3].map(() => sender.send(request(target.url), never))
    await arrived.promise
    await Promise.all([sender.close(), sender.close()])
    for (const result of await Promise.all(sent)) expect(result.status).toBe('cancelled')
    const late = await sender.send(request(target.url), never)
    expect(late).toMatchObject({ status: 'cancelled', error: { code: 'cancelled' } })
    expect(target.connections).toBe(1)
  })
})
