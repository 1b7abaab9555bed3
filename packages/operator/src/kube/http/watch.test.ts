import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import {
  type Answer,
  answerJson,
  type FakeApiServer,
} from '../../../testing/http/fake-api-server.js'
import { Sandbox } from '../../../testing/http/sandbox.js'
import type { WatchEvent } from '../kube-api.js'
import { jobs } from '../kube-object.js'
import type { HttpKubeApi, HttpKubeApiOptions } from './http-kube-api.js'

const sandbox = new Sandbox()
afterEach(sandbox.close)

const query = { namespace: 'team-a', resourceVersion: '5', timeoutSeconds: 60 }
const name = { namespace: 'team-a', name: 'a' }
const never = new AbortController().signal

const added = (text: string) => ({ type: 'ADDED', object: { metadata: { name: text } } })
const line = (event: object): string => `${JSON.stringify(event)}\n`
const begin = (response: ServerResponse): ServerResponse => {
  response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders()
  return response
}

async function setUp(
  answer: Answer,
  options: HttpKubeApiOptions = {},
): Promise<{ server: FakeApiServer; api: HttpKubeApi }> {
  const server = await sandbox.serve(answer)
  return { server, api: sandbox.client(server.source, options) }
}

/** What was seen before the end, and the error if that was one. */
async function seenBy(api: HttpKubeApi, signal = never, watched = query) {
  const names: string[] = []
  try {
    for await (const { object } of api.watch(jobs, watched, signal)) {
      names.push(object.metadata.name)
    }
    return { names }
  } catch (error) {
    return { names, error }
  }
}

describe('a watch', () => {
  it('asks for bookmarks, a version, a selector and an end', async () => {
    const { server, api } = await setUp((_, response) => response.end())
    await seenBy(api, never, { ...query, labelSelector: 'kron.io/name' } as typeof query)
    expect(server.requests[0]!.path).toBe(
      '/apis/batch/v1/namespaces/team-a/jobs?watch=1&allowWatchBookmarks=true' +
        '&resourceVersion=5&timeoutSeconds=60&labelSelector=kron.io%2Fname',
    )
  })

  it('gives all fields of all events, until the server ends it', async () => {
    const events = ['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK'].map((type) => ({
      type,
      object: { metadata: { name: type, resourceVersion: '6' }, unheard: { of: [1] } },
    }))
    const { api } = await setUp((_, response) => response.end(events.map(line).join('')))
    const seen: WatchEvent[] = []
    for await (const event of api.watch(jobs, query, never)) seen.push(event)
    expect(seen).toEqual(events)
  })

  it('reads characters that come in pieces', async () => {
    const names = ['größe', '時刻', '🕰️', 'plain']
    const { api } = await setUp(async (_, response) => {
      const bytes = Buffer.from(names.map((text) => line(added(text))).join(''))
      for (const byte of bytes) {
        // Each in a packet of its own, or nearly so.
        await new Promise((resolve) => response.write(Buffer.from([byte]), resolve))
      }
      response.end()
    })
    expect(await seenBy(api)).toEqual({ names })
  })

  it.each<[string, (response: ServerResponse) => void]>([
    ['ends', (response) => response.end()],
    ['breaks', (response) => response.socket!.destroy()],
    ['is reset', (response) => response.socket!.resetAndDestroy()],
  ])('ends without the torn line when the connection %s', async (_, end) => {
    const { api } = await setUp((_request, response) => {
      const taken = new Promise((resolve) => begin(response).write(line(added('a')), resolve))
      const torn = line(added('b')).slice(0, -1)
      taken.then(() => response.write(torn, () => setImmediate(end, response)))
    })
    const names: string[] = []
    for await (const { object } of api.watch(jobs, query, never)) names.push(object.metadata.name)
    // A reset may overtake what was sent before it.
    expect(['', 'a']).toContain(names.join())
  })

  it.each([
    [
      { code: 410, reason: 'Expired', message: 'too old' },
      { status: 410, reason: 'Expired' },
    ],
    [{ code: 410 }, { status: 410, reason: 'Expired' }],
    [
      { code: 429, reason: 'TooManyRequests', details: { retryAfterSeconds: 1 } },
      { status: 429, retryAfterMs: 1000 },
    ],
    [
      { code: 500, message: 'etcd is gone' },
      { status: 500, message: 'etcd is gone' },
    ],
    [null, { status: 500 }],
  ])('fails with what an ERROR says, after what came before: %o', async (object, failure) => {
    const text = line(added('a')) + line({ type: 'ERROR', object })
    const { api } = await setUp((_, response) => begin(response).write(text))
    const { names, error } = await seenBy(api)
    expect(names).toEqual(['a'])
    expect(error).toMatchObject({ code: 'KRON_API', ...failure })
  })

  it.each([
    ['is not JSON', 'what?\n', /a line is not JSON/],
    ['is too long', `${'x'.repeat(2000)}`, /a line has more than 1000 bytes/],
  ])('fails when a line %s', async (_, text, message) => {
    const { api } = await setUp((_request, response) => begin(response).write(text), {
      maxWatchLineBytes: 1000,
    })
    const { error } = await seenBy(api)
    expect(error).toMatchObject({ status: null, message: expect.stringMatching(message) })
  })

  it('passes over kinds of events that nobody has heard of', async () => {
    const text = `\n${line({ type: 'NEWS', object: {} })}${line(added('a'))}null\n`
    const { api } = await setUp((_, response) => response.end(text))
    expect(await seenBy(api)).toEqual({ names: ['a'] })
  })

  it('that is refused fails with the refusal', async () => {
    const { api } = await setUp((_, response) =>
      answerJson(response, { kind: 'Status', reason: 'Forbidden' }, 403),
    )
    const failure = { code: 'KRON_API', status: 403, reason: 'Forbidden' }
    expect((await seenBy(api)).error).toMatchObject(failure)
  })

  it.each<[string, Answer]>([
    ['is cut off', (request) => request.socket.destroy()],
    ['has no answer in time', () => {}],
    ['has a refusal without end', (_, response) => response.writeHead(500).write('x')],
  ])('that %s fails', async (_, answer) => {
    const { api } = await setUp(answer, { timeoutMs: 50 })
    expect((await seenBy(api)).error).toMatchObject({ code: 'KRON_API', status: null })
  })

  it('may be silent for longer than a request, but not for ever', async () => {
    const { api } = await setUp((_, response) => begin(response).write(line(added('a'))), {
      timeoutMs: 1000,
      watchGraceMs: 500,
    })
    const startedAt = performance.now()
    expect(await seenBy(api, never, { ...query, timeoutSeconds: 1 })).toEqual({ names: ['a'] })
    expect(performance.now() - startedAt).toBeGreaterThan(1400)
  })

  it('closes its connection when the consumer has enough', async () => {
    const closed = Promise.withResolvers<void>()
    const { api } = await setUp((request, response) => {
      request.socket.once('close', () => closed.resolve())
      begin(response).write(line(added('a')))
    })
    for await (const _ of api.watch(jobs, query, never)) break
    await closed.promise
  })

  it('fails with the reason of the signal and closes its connection', async () => {
    const closed = Promise.withResolvers<void>()
    const caller = new AbortController()
    const reason = new Error('lost the lease')
    const { api } = await setUp((request, response) => {
      request.socket.once('close', () => closed.resolve())
      begin(response).write(line(added('a')))
    })
    const names: string[] = []
    const watching = (async () => {
      for await (const { object } of api.watch(jobs, query, caller.signal)) {
        names.push(object.metadata.name)
        setImmediate(() => caller.abort(reason))
      }
    })()
    await expect(watching).rejects.toBe(reason)
    expect(names).toEqual(['a'])
    await closed.promise
  })

  it('gives nothing more once its signal has aborted, even if it has more', async () => {
    const caller = new AbortController()
    const { api } = await setUp((_, response) => {
      response.end(line(added('a')) + line(added('b')))
    })
    const names: string[] = []
    const watching = (async () => {
      for await (const { object } of api.watch(jobs, query, caller.signal)) {
        names.push(object.metadata.name)
        caller.abort()
      }
    })()
    await expect(watching).rejects.toThrow('aborted')
    expect(names).toEqual(['a'])
  })

  it('takes no connection away from requests', async () => {
    const { server, api } = await setUp(
      (request, response) => {
        if (request.path.includes('watch=1')) begin(response).write(line(added('a')))
        else answerJson(response, added('b').object)
      },
      { connections: 1 },
    )
    const watches = [1, 2, 3].map(() => api.watch(jobs, query, never)[Symbol.asyncIterator]())
    for (const watch of watches) expect((await watch.next()).done).toBe(false)
    expect((await api.get(jobs, name)).metadata.name).toBe('b')
    expect(server.sockets.size).toBe(4)
    for (const watch of watches) await watch.return!()
  })

  it('leaves with the server what a slow consumer has not taken', async () => {
    const many = line(added('x'.repeat(100_000))).repeat(640)
    let sent: ServerResponse | undefined
    const { api } = await setUp((request, response) => {
      if (!request.path.includes('watch=1')) return answerJson(response, added('b').object)
      sent = begin(response)
      sent.end(many)
    })
    const watch = api.watch(jobs, query, never)[Symbol.asyncIterator]()
    await watch.next()
    for (let i = 0; i < 20; i++) await api.get(jobs, name)
    // The kernel takes some megabytes of the 64; we must not take the rest.
    expect(sent!.writableFinished).toBe(false)
    const finished = once(sent!, 'finish')
    let count = 1
    while (!(await watch.next()).done) count++
    expect(count).toBe(640)
    await finished
  })
})
