import { VirtualClock } from '@kron/runtime/testing'
import { describe, expect, it } from 'vitest'
import { jobs } from '../../src/kube/kube-object.js'
import { MemoryKubeApi } from './memory-kube-api.js'
import { MortalKubeApi } from './mortal-kube-api.js'

const namespace = 'default'
const job = (name: string) => ({ metadata: { name, namespace } })

function setup() {
  const clock = new VirtualClock(new Date('2025-03-01T08:00:00Z'))
  const server = new MemoryKubeApi({ clock })
  const names = () => server.objects.all(jobs).map(({ metadata }) => metadata.name)
  return { clock, server, names, api: new MortalKubeApi(server) }
}

/** What a process would do that creates one Job after the other. */
async function createAll(api: MortalKubeApi, progress: string[]): Promise<void> {
  for (const name of ['a', 'b', 'c']) {
    await api.create(jobs, job(name))
    progress.push(name)
  }
}

describe('a process that dies', () => {
  it('before a call has asked for nothing any more', async () => {
    const { api, clock, names } = setup()
    api.dieAt(2, 'before')
    const progress: string[] = []
    void createAll(api, progress)
    await clock.advanceBy(60_000)
    expect({ progress, names: names() }).toEqual({ progress: ['a'], names: ['a'] })
    await api.died
  })

  it('after a call never learns of its effect', async () => {
    const { api, clock, names } = setup()
    api.dieAt(2, 'after')
    const progress: string[] = []
    void createAll(api, progress)
    await clock.advanceBy(60_000)
    expect({ progress, names: names() }).toEqual({ progress: ['a'], names: ['a', 'b'] })
    expect(api.calls.map(({ name }) => name)).toEqual(['a', 'b'])
  })

  it('after a call does not learn of its failure either', async () => {
    const { api, clock, server } = setup()
    await server.create(jobs, job('a'))
    api.dieAt(1, 'after')
    let isAnswered = false
    const answered = (): void => {
      isAnswered = true
    }
    void api.create(jobs, job('a')).then(answered, answered)
    await clock.advanceBy(60_000)
    expect({ isAnswered, isDead: api.isDead }).toEqual({ isAnswered: false, isDead: true })
  })

  it('has no effect from then on', async () => {
    const { api, clock, names } = setup()
    api.die()
    void createAll(api, [])
    await clock.advanceBy(60_000)
    expect(names()).toEqual([])
    expect(api.calls).toEqual([])
  })

  it('sees no more events, and its watch is closed', async () => {
    const { api, clock, server } = setup()
    const seen: string[] = []
    const run = async (): Promise<void> => {
      const query = { resourceVersion: server.version, timeoutSeconds: 300 }
      for await (const { object } of api.watch(jobs, query, new AbortController().signal)) {
        seen.push(object.metadata.name)
      }
      seen.push('ended')
    }
    void run()
    await clock.advanceBy(1000)
    await server.create(jobs, job('a'))
    await clock.advanceBy(1000)
    api.die()
    await server.create(jobs, job('b'))
    await clock.advanceBy(600_000)
    expect(seen).toEqual(['a'])
    expect({ open: server.openWatches, sleepers: clock.pending }).toEqual({ open: 0, sleepers: 0 })
  })

  it('at the first event of a watch does not see it, and its watch is closed', async () => {
    const { api, clock, server } = setup()
    api.dieAt(1, 'after')
    const query = { resourceVersion: server.version, timeoutSeconds: 300 }
    const events = api.watch(jobs, query, new AbortController().signal)[Symbol.asyncIterator]()
    let isSeen = false
    void events.next().then(() => {
      isSeen = true
    })
    await clock.advanceBy(1000)
    await server.create(jobs, job('a'))
    await clock.advanceBy(1000)
    expect({ isSeen, isDead: api.isDead }).toEqual({ isSeen: false, isDead: true })
    expect({ open: server.openWatches, sleepers: clock.pending }).toEqual({ open: 0, sleepers: 0 })
  })
})
