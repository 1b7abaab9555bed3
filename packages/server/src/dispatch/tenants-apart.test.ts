import type { ServerResponse } from 'node:http'
import { afterEach, expect, it, vi } from 'vitest'
import { httpTarget, type LocalTarget } from '../../testing/dispatch/local-target.js'
import { request, Sandbox } from '../../testing/dispatch/sandbox.js'
import type { Dispatcher } from './dispatcher.js'
import type { ExchangeResult } from './exchange.js'
import { Stop } from './stop.js'

const sandbox = new Sandbox()
afterEach(sandbox.close)

/** Requests that have arrived somewhere and are not answered yet, in order. */
class Unanswered {
  readonly paths: string[] = []
  readonly #responses: ServerResponse[] = []
  #isAnswering = false

  target(): Promise<LocalTarget> {
    return sandbox.up(
      httpTarget((incoming, response) => {
        this.paths.push(incoming.url!)
        if (this.#isAnswering) response.end('ok')
        else this.#responses.push(response)
      }),
    )
  }

  async arrived(count: number): Promise<void> {
    await vi.waitFor(() => expect(this.paths.length).toBe(count))
  }

  answerFirst(): void {
    this.#responses.shift()!.end('ok')
  }

  answerAll(): void {
    this.#isAnswering = true
    for (const response of this.#responses) response.end('ok')
  }
}

const send = (
  sender: Dispatcher,
  tenantId: string,
  url: string,
  stop = new Stop(),
): Promise<ExchangeResult> => sender.send(request(url, { tenantId }), stop)

it('a tenant whose targets all hang does not keep another from its own', async () => {
  const hanging = new Unanswered()
  const targets = await Promise.all(Array.from({ length: 8 }, () => hanging.target()))
  const quick = await sandbox.up(httpTarget((_, response) => response.end('ok')))
  const sender = sandbox.dispatcher({ maxConnections: 8, maxConnectionsPerOrigin: 2 })
  const stop = new Stop()
  const hung = targets.flatMap(({ url }) =>
    [0, 1, 2, 3].map(() => send(sender, 'hangs', url, stop)),
  )
  await hanging.arrived(4)
  for (let second = 0; second < 20; second++) {
    expect((await send(sender, 'is quick', quick.url)).status).toBe('success')
  }
  expect(hanging.paths).toHaveLength(4)
  expect(sender.waiting).toBe(28)
  stop.stop('test')
  for (const { status } of await Promise.all(hung)) expect(status).toBe('cancelled')
})

it('a tenant that waits for its share goes on as soon as one of its requests ends', async () => {
  const hanging = new Unanswered()
  const targets = await Promise.all(Array.from({ length: 6 }, () => hanging.target()))
  const sender = sandbox.dispatcher({ maxConnections: 4, maxConnectionsPerOrigin: 2 })
  const sent = targets.map(({ url }) => send(sender, 'waits', url))
  for (let arrived = 2; arrived <= 6; arrived++) {
    await hanging.arrived(arrived)
    expect(sender.waiting).toBe(6 - arrived)
    hanging.answerFirst()
  }
  hanging.answerFirst()
  for (const { status } of await Promise.all(sent)) expect(status).toBe('success')
})

it('one request gets in after at most one for each connection of a tenant with many', async () => {
  const connections = 3
  const host = new Unanswered()
  const { url } = await host.target()
  const sender = sandbox.dispatcher({ maxConnectionsPerOrigin: connections })
  const many = Array.from({ length: 500 }, (_, n) => send(sender, 'many', `${url}many${n}`))
  await host.arrived(connections)
  const one = send(sender, 'one', `${url}one`)
  for (let answered = 1; answered <= connections; answered++) {
    host.answerFirst()
    await host.arrived(connections + answered)
  }
  expect(host.paths.slice(connections)).toContain('/one')
  host.answerAll()
  for (const { status } of await Promise.all([one, ...many])) expect(status).toBe('success')
})
