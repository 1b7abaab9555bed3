import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { httpTarget, type LocalTarget } from '../../testing/dispatch/local-target.js'
import { ConnectionPool } from './connection-pool.js'
import type { ExchangeResult } from './exchange.js'
import { createAddressGuard } from './guard/index.js'
import { type ExchangeContext, LiveExchange } from './live-exchange.js'
import { Stop } from './stop.js'

/** A target that answers when told to, and a list of what has arrived there, in order. */
interface Held extends LocalTarget {
  readonly arrived: string[]
  reached(path: string): Promise<ServerResponse>
  /** Answers the request by its path, as soon as it is there. */
  answer(path: string): Promise<void>
}

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close()
})

async function heldTarget(): Promise<Held> {
  const responses = new Map<string, PromiseWithResolvers<ServerResponse>>()
  const arrived: string[] = []
  const responseTo = (path: string): PromiseWithResolvers<ServerResponse> => {
    const known = responses.get(path) ?? Promise.withResolvers()
    responses.set(path, known)
    return known
  }
  const target = await httpTarget((incoming, response) => {
    arrived.push(incoming.url!)
    responseTo(incoming.url!).resolve(response)
  })
  opened.push(target)
  const reached = (path: string): Promise<ServerResponse> => responseTo(path).promise
  const answer = async (path: string): Promise<void> => {
    const response = await reached(path)
    response.end('ok')
  }
  // In place of a copy, which would freeze the counts.
  return Object.assign(Object.create(target) as LocalTarget, { arrived, reached, answer })
}

interface Sending {
  readonly result: Promise<ExchangeResult>
  readonly stop: Stop
}

function sender(maxConnections: number, maxConnectionsPerOrigin: number, now = Date.now) {
  const pool = new ConnectionPool({
    connector: {
      guard: createAddressGuard({ allow: ['127.0.0.1'] }),
      resolve: async () => [],
      connectTimeoutMs: 10_000,
      certificateAuthorities: null,
    },
    maxConnections,
    maxConnectionsPerOrigin,
    now,
  })
  opened.unshift(pool)
  const context: ExchangeContext = { pool, live: new Set(), userAgent: '', now }
  let sent = 0
  /** For a tenant of its own, so that what is seen is what origins do to each other. */
  const send = (target: LocalTarget, path: string): Sending => {
    const stop = new Stop()
    const result = new Promise<ExchangeResult>((resolve) => {
      const request = {
        tenantId: `tenant ${sent++}`,
        method: 'GET',
        url: target.url + path.slice(1),
        headers: {},
        body: null,
        timeoutMs: 10_000,
        maxResponseBytes: 100,
        redirects: 'refuse',
      } as const
      new LiveExchange(context, request, stop, resolve).start()
    })
    return { result, stop }
  }
  return { pool, send }
}

const paths = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `/${prefix}${n}`)

describe('an origin', () => {
  it('has no more connections than it may have, and a line that is served in order', async () => {
    const target = await heldTarget()
    const { pool, send } = sender(10, 2)
    const all = paths('', 9)
    const sent = all.map((path) => send(target, path))
    for (const path of all) {
      await target.answer(path)
      expect(pool.size.connections).toBe(2)
    }
    for (const { result } of sent) expect((await result).status).toBe('success')
    expect(target.arrived.slice(2)).toEqual(all.slice(2))
    expect(target.connections).toBe(2)
  })

  it('is forgotten when its connections are closed and nobody is in line', async () => {
    const target = await httpTarget((_, response) => response.end('ok'))
    const { pool, send } = sender(10, 2)
    await send(target, '/').result
    expect(pool.size).toMatchObject({ origins: 1, connections: 1 })
    await target.close()
    await vi.waitFor(() => expect(pool.size).toEqual({ origins: 0, tenants: 0, connections: 0 }))
  })

  it('is forgotten when it can not be reached', async () => {
    const target = await httpTarget(() => {})
    await target.close()
    const { pool, send } = sender(10, 2)
    const sent = paths('', 9).map((path) => send(target, path).result)
    for (const { error } of await Promise.all(sent)) expect(error?.code).toBe('connect_failed')
    expect(pool.size).toEqual({ origins: 0, tenants: 0, connections: 0 })
  })

  it('goes on when one that is first in line, in the middle or last gives up', async () => {
    const target = await heldTarget()
    const { pool, send } = sender(10, 1)
    const sent = paths('', 6).map((path) => send(target, path))
    await target.reached('/0')
    for (const index of [1, 3, 5]) sent[index]!.stop.stop('test')
    for (const path of ['/0', '/2', '/4']) await target.answer(path)
    const statuses = (await Promise.all(sent.map(({ result }) => result))).map((r) => r.status)
    expect(statuses).toEqual([0, 1, 2].flatMap(() => ['success', 'cancelled']))
    expect(target.arrived).toEqual(['/0', '/2', '/4'])
    expect(pool.size).toMatchObject({ origins: 1, connections: 1 })
  })

  it('does not use a connection for its line that has grown old', async () => {
    const target = await heldTarget()
    let time = 0
    const { send } = sender(10, 1, () => time)
    const sent = paths('', 3).map((path) => send(target, path).result)
    const connections: number[] = []
    for (const path of paths('', 3)) {
      await target.reached(path)
      connections.push(target.connections)
      time += 40_000
      await target.answer(path)
    }
    for (const { status } of await Promise.all(sent)) expect(status).toBe('success')
    expect(connections).toEqual([1, 1, 2])
  })

  it('opens another connection for the line when an exchange on one is given up', async () => {
    const target = await heldTarget()
    const { send } = sender(10, 1)
    const first = send(target, '/first')
    const second = send(target, '/second')
    await target.reached('/first')
    first.stop.stop('test')
    await target.answer('/second')
    expect((await second.result).status).toBe('success')
    expect(target.connections).toBe(2)
  })
})

describe('many origins', () => {
  it('share the connections there may be in all', async () => {
    const targets = await Promise.all(paths('', 4).map(heldTarget))
    const { pool, send } = sender(3, 2)
    const sent = targets.flatMap((target) => paths('', 4).map((path) => send(target, path).result))
    await Promise.all(
      targets.map(async (target) => {
        for (const path of paths('', 4)) {
          await target.answer(path)
          expect(pool.size.connections).toBeLessThanOrEqual(3)
        }
      }),
    )
    for (const { status } of await Promise.all(sent)) expect(status).toBe('success')
  })

  it('take over connections that others do not use', async () => {
    const targets = await Promise.all(paths('', 3).map(heldTarget))
    const { pool, send } = sender(1, 1)
    for (const target of [...targets, ...targets.slice(0, 1)]) {
      const path = `/${target.arrived.length}`
      const { result } = send(target, path)
      await target.answer(path)
      expect((await result).status).toBe('success')
      expect(pool.size).toMatchObject({ origins: 1, connections: 1 })
    }
  })

  it('are served while one of them, that took all connections, has a long line', async () => {
    const busy = await heldTarget()
    const quiet = await heldTarget()
    const { send } = sender(3, 3)
    const line = paths('', 9).map((path) => send(busy, path).result)
    await Promise.all(paths('', 3).map(busy.reached))
    const { result } = send(quiet, '/quiet')
    await busy.answer('/0')
    await quiet.answer('/quiet')
    expect((await result).status).toBe('success')
    for (const path of paths('', 9).slice(1)) await busy.answer(path)
    for (const { status } of await Promise.all(line)) expect(status).toBe('success')
  })

  it('take turns when there are more of them than connections', async () => {
    const targets = await Promise.all(paths('', 3).map(heldTarget))
    const { send } = sender(1, 1)
    const order: string[] = []
    const sent = targets.flatMap((target, index) =>
      paths('', 3).map(async (path) => {
        await send(target, path).result
        order.push(`${index}${path}`)
      }),
    )
    await Promise.all(
      targets.map(async (target) => {
        for (const path of paths('', 3)) await target.answer(path)
      }),
    )
    await Promise.all(sent)
    expect(order).toEqual(
      ['/0', '/1', '/2'].flatMap((path) => [`0${path}`, `1${path}`, `2${path}`]),
    )
  })

  it('come to have as many connections each, when all have long lines', async () => {
    const [early, late] = [await heldTarget(), await heldTarget()]
    const { send } = sender(4, 4)
    const all = paths('', 12)
    const sent = all.map((path) => send(early, path).result)
    await Promise.all(paths('', 4).map(early.reached))
    sent.push(...all.map((path) => send(late, path).result))
    for (const path of paths('', 4)) await early.answer(path)
    await Promise.all(paths('', 2).map(late.reached))
    for (const target of [early, late]) for (const path of all) await target.answer(path)
    for (const { status } of await Promise.all(sent)) expect(status).toBe('success')
  })

  it('do not go on closing connections once each has its share', async () => {
    const targets = await Promise.all(paths('', 2).map(heldTarget))
    const { send } = sender(3, 3)
    const all = paths('', 30)
    const sent = all.flatMap((path) => targets.map((target) => send(target, path).result))
    await Promise.all(
      targets.map(async (target) => {
        for (const path of all) await target.answer(path)
      }),
    )
    for (const { status } of await Promise.all(sent)) expect(status).toBe('success')
    const connections = targets.reduce((sum, target) => sum + target.connections, 0)
    expect(connections).toBeLessThanOrEqual(6)
  })
})

it('a closed pool opens nothing for those in line', async () => {
  const target = await heldTarget()
  const { pool, send } = sender(10, 1)
  const sent = paths('', 3).map((path) => send(target, path))
  await target.reached('/0')
  const closed = pool.close()
  sent[0]!.stop.stop('test')
  expect(pool.size).toMatchObject({ origins: 1, connections: 0 })
  for (const { stop } of sent) stop.stop('test')
  await closed
  expect(pool.size).toEqual({ origins: 0, tenants: 0, connections: 0 })
  expect(target.connections).toBe(1)
})
