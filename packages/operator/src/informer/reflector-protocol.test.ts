import { VirtualClock } from '@kron/runtime/testing'
import { afterEach, describe, expect, it } from 'vitest'
import {
  ApiFailure,
  type KubeApi,
  type KubeObject,
  leases,
  type WatchEvent,
} from '../kube/index.js'
import { Reflector, type ReflectorOptions } from './reflector.js'

type Page = Awaited<ReturnType<KubeApi['list']>>

const start = Date.UTC(2026, 2, 1)
let ended = new AbortController()
afterEach(() => {
  ended.abort()
  ended = new AbortController()
})

const object = (name: string, resourceVersion: string): KubeObject => ({
  metadata: { namespace: 'default', name, resourceVersion },
})
const event = (type: WatchEvent['type'], name: string, version: string): WatchEvent => ({
  type,
  object: object(name, version),
})
const page = (resourceVersion: string, ...items: readonly KubeObject[]): Page => ({
  items: [...items],
  resourceVersion,
})
const failure = (status: number): ApiFailure => new ApiFailure('no', { status })

interface Script {
  /** What each list answers, the last one for ever. */
  readonly lists?: readonly (Page | Error)[]
  /** What each watch brings, and how it ends: after so long, or with an error. None is endless. */
  readonly watches?: readonly {
    readonly events?: readonly WatchEvent[]
    readonly end: number | Error
  }[]
  readonly options?: Partial<ReflectorOptions<KubeObject>>
}

/** A reflector of an API server that says what is in the script. */
function reflecting({ lists = [page('5')], watches = [], options = {} }: Script) {
  const clock = new VirtualClock(start)
  const asked: string[] = []
  const queries: object[] = []
  const changes: string[] = []
  let listed = 0
  let watched = 0
  const note = (verb: string, query: object): void => {
    asked.push(`${verb} ${clock.now().getTime() - start}`)
    queries.push(query)
  }
  const api: Pick<KubeApi, 'list' | 'watch'> = {
    list: async (_, query) => {
      note('list', query)
      const answer = lists[Math.min(listed++, lists.length - 1)]!
      if (answer instanceof Error) throw answer
      return answer
    },
    async *watch(_, query, signal) {
      note('watch', query)
      const { events = [], end } = watches[watched++] ?? { end: 10 ** 9 }
      yield* events
      if (end instanceof Error) throw end
      await clock.sleep(end, signal)
    },
  }
  const reflector = new Reflector<KubeObject>({
    api,
    clock,
    resource: leases,
    resyncMs: 3_600_000,
    project: (each) => each,
    onChange: (key, item, before) => {
      const versions = [before, item].map((each) => each?.metadata.resourceVersion ?? 'none')
      changes.push(`${key} ${versions.join(' to ')}`)
    },
    onListed: () => changes.push('listed'),
    onFailure: (error, operation) =>
      changes.push(`${operation} failed: ${(error as Error).message}`),
    ...options,
  })
  const running = reflector.run(ended.signal)
  return { clock, reflector, asked, queries, changes, running }
}

describe('what a reflector asks for', () => {
  it('is everything, page by page, and then what changes after the first page', async () => {
    const { clock, reflector, asked, queries } = reflecting({
      lists: [
        { ...page('5', object('a', '1')), continue: 'more' },
        { ...page('9'), continue: '' },
      ],
    })
    await clock.advanceBy(0)
    await reflector.listed
    expect(asked).toEqual(['list 0', 'list 0', 'watch 0'])
    expect(queries).toStrictEqual([
      { limit: 500 },
      { limit: 500, continue: 'more' },
      { resourceVersion: '5', timeoutSeconds: 300 },
    ])
  })

  it('is within its namespace and labels', async () => {
    const scope = { namespace: 'team', labelSelector: 'kron.io/name' }
    const { clock, queries } = reflecting({ options: scope })
    await clock.advanceBy(0)
    expect(queries).toStrictEqual([
      { ...scope, limit: 500 },
      { ...scope, resourceVersion: '5', timeoutSeconds: 300 },
    ])
  })

  it('is what comes after a bookmark, which changes nothing itself', async () => {
    const { clock, queries, changes } = reflecting({
      watches: [{ events: [event('BOOKMARK', 'x', '70')], end: 5000 }],
    })
    await clock.advanceBy(6000)
    expect(queries.at(-1)).toMatchObject({ resourceVersion: '70' })
    expect(changes).toEqual(['listed'])
  })
})

describe('what a reflector knows', () => {
  it('is told when it changes, with what was before', async () => {
    const { clock, reflector, changes } = reflecting({
      lists: [page('5', object('a', '1'))],
      watches: [
        {
          events: [
            event('ADDED', 'b', '6'),
            event('MODIFIED', 'a', '7'),
            event('MODIFIED', 'a', '7'),
            event('DELETED', 'b', '8'),
            event('DELETED', 'unknown', '9'),
          ],
          end: 10 ** 9,
        },
      ],
    })
    expect(reflector.item('default/a')).toBeNull()
    await clock.advanceBy(0)
    expect(changes).toEqual([
      'default/a none to 1',
      'listed',
      'default/b none to 6',
      'default/a 1 to 7',
      'default/b 6 to none',
    ])
    expect(reflector.item('default/a')).toEqual(object('a', '7'))
    expect(reflector.item('default/b')).toBeNull()
  })

  it('is not lost with the end of an older one of the same name', async () => {
    const { clock, reflector, changes } = reflecting({
      watches: [{ events: [event('DELETED', 'a', '6'), event('DELETED', 'a', '9')], end: 10 ** 9 }],
      options: {
        onListed: () => {
          reflector.note(object('a', '8'))
        },
      },
    })
    await clock.advanceBy(0)
    expect(changes).toEqual(['default/a none to 8', 'default/a 8 to none'])
  })

  it('is read again without news of what is the same, and without what is gone', async () => {
    const all = page('5', object('a', '1'), object('b', '2'), object('c', '3'))
    const { clock, changes } = reflecting({
      lists: [all, page('30', object('a', '1'), object('b', '20'))],
      watches: [{ end: failure(410) }],
    })
    await clock.advanceBy(1000)
    expect(changes.slice(4)).toEqual([
      'watch failed: no',
      'default/b 2 to 20',
      'default/c 3 to none',
      'listed',
    ])
  })
})

describe('a watch', () => {
  it.each([
    [410, 'list 200'],
    [404, 'list 200'],
    [400, 'list 200'],
    [500, 'watch 200'],
    [403, 'watch 200'],
  ])('that fails with %i is followed by a %s', async (status, next) => {
    const { clock, asked, changes } = reflecting({ watches: [{ end: failure(status) }] })
    await clock.advanceBy(300)
    expect(asked.slice(0, 3)).toEqual(['list 0', 'watch 0', next])
    expect(changes).toContain('watch failed: no')
  })

  it('that ends after a second is followed by another at once', async () => {
    const { clock, asked } = reflecting({ watches: [{ end: 1000 }] })
    await clock.advanceBy(1000)
    expect(asked).toEqual(['list 0', 'watch 0', 'watch 1000'])
  })

  it('that ends sooner is a failure, and more of them have longer pauses', async () => {
    const { clock, asked } = reflecting({ watches: [{ end: 999 }, { end: 999 }, { end: 1000 }] })
    await clock.advanceBy(10_000)
    expect(asked).toEqual(['list 0', 'watch 0', 'watch 1199', 'watch 2598', 'watch 3598'])
  })

  it('is ended for a list only when that is due', async () => {
    const { clock, asked } = reflecting({
      watches: [{ end: 59_999 }, { end: 1001 }],
      options: { resyncMs: 60_000 },
    })
    await clock.advanceBy(61_000)
    expect(asked).toEqual(['list 0', 'watch 0', 'watch 59999', 'list 61000', 'watch 61000'])
  })

  it('that ends when it is told to is no failure', async () => {
    const { clock, changes, running } = reflecting({})
    await clock.advanceBy(1000)
    ended.abort()
    await running
    expect(changes).toEqual(['listed'])
  })
})

describe('a list that fails', () => {
  it('is asked for again after pauses that double up to half a minute', async () => {
    const { clock, asked, changes } = reflecting({ lists: [failure(500)] })
    await clock.advanceBy(120_000)
    const at = [0, 200, 600, 1400, 3000, 6200, 12_600, 25_400, 51_000, 81_000, 111_000]
    expect(asked).toEqual(at.map((ms) => `list ${ms}`))
    expect(new Set(changes)).toEqual(new Set(['list failed: no']))
  })
})

describe('a reflector that is stopped', () => {
  it('gives up the list that it waits for', async () => {
    const list: KubeApi['list'] = (_, __, signal) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason))
      })
    const failures: unknown[] = []
    const reflector = new Reflector<KubeObject>({
      api: { list, watch: () => expect.unreachable() },
      clock: new VirtualClock(start),
      resource: leases,
      project: (kept) => kept,
      onChange: () => undefined,
      onFailure: (error) => failures.push(error),
      resyncMs: 1000,
    })
    const running = reflector.run(ended.signal)
    ended.abort('stopped')
    await running
    expect(failures).toEqual([])
  })
})
