import { VirtualClock } from '@kron/runtime/testing'
import { describe, expect, it } from 'vitest'
import { ApiFailure } from '../../src/kube/api-failure.js'
import type { WatchEvent } from '../../src/kube/kube-api.js'
import { jobs, type KubeObject, kronJobs, leases } from '../../src/kube/kube-object.js'
import { MemoryKubeApi, type MemoryKubeApiOptions } from './memory-kube-api.js'

const namespace = 'default'
const start = new Date('2025-03-01T08:00:00.750Z')

function setup(options: Partial<MemoryKubeApiOptions> = {}) {
  const clock = new VirtualClock(start)
  return { clock, api: new MemoryKubeApi({ clock, ...options }) }
}

function kronJob(name: string, more: Record<string, unknown> = {}): KubeObject {
  return { metadata: { name, namespace }, spec: { schedule: '0 8 * * *' }, ...more }
}

/** Collects what a watch sees, while the test goes on. */
function follow(api: MemoryKubeApi, resourceVersion: string, timeoutSeconds = 300) {
  const seen: WatchEvent[] = []
  const abort = new AbortController()
  const query = { namespace, resourceVersion, timeoutSeconds }
  const run = async (): Promise<'ended'> => {
    for await (const event of api.watch(kronJobs, query, abort.signal)) seen.push(event)
    return 'ended'
  }
  const names = () => seen.map(({ type, object }) => `${type} ${object.metadata.name}`)
  return { seen, names, abort, done: run() }
}

describe('an object in memory', () => {
  it('gets its uid, its version and the second of its creation', async () => {
    const { api } = setup()
    const made = await api.create(kronJobs, kronJob('a', { status: { active: [] } }))
    expect(made).toEqual({
      apiVersion: 'kron.io/v1alpha1',
      kind: 'KronJob',
      metadata: {
        name: 'a',
        namespace,
        uid: '00000000-0000-4000-8000-000000000001',
        resourceVersion: '96',
        generation: 1,
        creationTimestamp: '2025-03-01T08:00:00Z',
      },
      spec: { schedule: '0 8 * * *' },
    })
  })

  it('is independent of what was handed in, and can not be changed by who gets it', async () => {
    const { api } = setup()
    const spec = { schedule: '0 8 * * *', jobTemplate: { spec: { parallelism: 1 } } }
    await api.create(kronJobs, kronJob('a', { spec }))
    spec.jobTemplate.spec.parallelism = 2
    const got = await api.get(kronJobs, { namespace, name: 'a' })
    expect(got).toMatchObject({ spec: { jobTemplate: { spec: { parallelism: 1 } } } })
    expect(() => {
      ;(got['spec'] as typeof spec).jobTemplate.spec.parallelism = 3
    }).toThrow(TypeError)
  })

  it('is given a name of its own if it asks for one', async () => {
    const { api } = setup()
    const asked = { metadata: { name: '', generateName: 'a-', namespace } }
    const one = await api.create(leases, asked)
    const other = await api.create(leases, asked)
    expect(one.metadata.name).toMatch(/^a-[a-z0-9]{5}$/)
    expect(other.metadata.name).not.toBe(one.metadata.name)
  })

  it('is completed and checked by the schema that a test plugs in', async () => {
    const { api } = setup({
      defaults: (_, object) => ({ timezone: 'UTC', ...object }),
      validate: (_, object) => (object['timezone'] === 'Mars' ? 'no such timezone' : null),
    })
    const made = await api.create(kronJobs, kronJob('a'))
    expect(made['timezone']).toBe('UTC')
    const name = { namespace, name: 'a' }
    const refused = { status: 422, reason: 'Invalid' }
    await expect(api.patch(kronJobs, name, { timezone: 'Mars' })).rejects.toMatchObject(refused)
    await expect(api.create(kronJobs, kronJob('b', { timezone: 'Mars' }))).rejects.toMatchObject(
      refused,
    )
    expect(api.objects.all(kronJobs)).toEqual([made])
  })

  it('can not be created in a namespace that is being terminated', async () => {
    const { api } = setup()
    api.terminateNamespace(namespace)
    const failure = await api.create(kronJobs, kronJob('a')).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ApiFailure)
    expect(failure).toMatchObject({ status: 403, causes: ['NamespaceTerminating'] })
  })

  it('keeps ten thousand of its kind in pages that show one state', async () => {
    const { api } = setup()
    const name = (at: number) => `job-${String(at).padStart(5, '0')}`
    for (let at = 0; at < 10_000; at++)
      api.objects.create(jobs, { metadata: { name: name(at), namespace } })
    const first = await api.list(jobs, { limit: 500 })
    api.objects.delete(jobs, { namespace, name: name(700) }, { propagation: 'Background' })
    const items = [...first.items]
    for (let page = first; page.continue !== undefined; ) {
      page = await api.list(jobs, { limit: 500, continue: page.continue })
      expect(page.resourceVersion).toBe(first.resourceVersion)
      items.push(...page.items)
    }
    expect(items.map(({ metadata }) => metadata.name)).toEqual(
      Array.from({ length: 10_000 }, (_, at) => name(at)),
    )
  })

  it('can not be listed on from a page that was compacted', async () => {
    const { api } = setup()
    for (const name of ['a', 'b', 'c']) await api.create(kronJobs, kronJob(name))
    const page = await api.list(kronJobs, { limit: 1 })
    api.compact()
    const goesOn = await api.list(kronJobs, { limit: 1, continue: page.continue! })
    expect(goesOn.items).toHaveLength(1)
    await api.create(kronJobs, kronJob('d'))
    api.compact()
    await expect(api.list(kronJobs, { continue: page.continue! })).rejects.toMatchObject({
      status: 410,
      reason: 'Expired',
    })
  })
})

describe('a watch in memory', () => {
  it('sees changes only after the delay, while a list sees them at once', async () => {
    const { api, clock } = setup({ watchDelayMs: 500 })
    const watch = follow(api, api.version)
    await api.create(kronJobs, kronJob('a'))
    await clock.advanceBy(499)
    expect(watch.names()).toEqual([])
    expect((await api.list(kronJobs, {})).items).toHaveLength(1)
    await clock.advanceBy(1)
    expect(watch.names()).toEqual(['ADDED a'])
  })

  it('that begins within the delay does not see more than the others', async () => {
    const { api, clock } = setup({ watchDelayMs: 500 })
    const version = api.version
    await api.create(kronJobs, kronJob('a'))
    await clock.advanceBy(200)
    await api.create(kronJobs, kronJob('b'))
    await clock.advanceBy(300)
    const watch = follow(api, version)
    await clock.advanceBy(0)
    expect(watch.names()).toEqual(['ADDED a'])
    await clock.advanceBy(200)
    expect(watch.names()).toEqual(['ADDED a', 'ADDED b'])
  })

  it('sees nothing while watches are held, and all of it in order afterwards', async () => {
    const { api, clock } = setup()
    const watch = follow(api, api.version)
    api.holdWatches()
    await api.create(kronJobs, kronJob('a'))
    await api.delete(kronJobs, { namespace, name: 'a' }, { propagation: 'Background' })
    await clock.advanceBy(60_000)
    expect(watch.names()).toEqual([])
    api.releaseWatches()
    await clock.advanceBy(0)
    expect(watch.names()).toEqual(['ADDED a', 'DELETED a'])
  })

  it('ends after its time-out, and leaves no sleeper behind when it ends earlier', async () => {
    const { api, clock } = setup()
    const long = follow(api, api.version, 300)
    await clock.advanceBy(299_999)
    expect(api.openWatches).toBe(1)
    await clock.advanceBy(1)
    expect(await long.done).toBe('ended')
    const cut = follow(api, api.version, 300)
    await clock.advanceBy(1000)
    api.cutWatches()
    expect(await cut.done).toBe('ended')
    expect(clock.pending).toBe(0)
    expect(api.openWatches).toBe(0)
  })

  it('rejects with the reason of its signal', async () => {
    const { api, clock } = setup()
    const watch = follow(api, api.version)
    await clock.advanceBy(1000)
    watch.abort.abort(new Error('shutting down'))
    await expect(watch.done).rejects.toThrow('shutting down')
    expect(clock.pending).toBe(0)
  })

  it('can not begin before what was compacted, but one that is open goes on', async () => {
    const { api, clock } = setup({ watchDelayMs: 100 })
    const version = api.version
    const open = follow(api, version)
    await api.create(kronJobs, kronJob('a'))
    api.compact()
    await clock.advanceBy(100)
    expect(open.names()).toEqual(['ADDED a'])
    await expect(follow(api, version).done).rejects.toMatchObject({ status: 410 })
    const fresh = follow(api, api.version)
    await clock.advanceBy(0)
    expect(fresh.names()).toEqual([])
  })

  it('forgets the oldest changes when there are too many', async () => {
    const { api } = setup({ historyLimit: 10 })
    const version = api.version
    for (let at = 0; at < 25; at++) await api.create(kronJobs, kronJob(`a-${at}`))
    await expect(follow(api, version).done).rejects.toMatchObject({ status: 410 })
  })

  it('gets bookmarks that say how far it has come', async () => {
    const { api, clock } = setup({ bookmarkEvery: 5 })
    const watch = follow(api, api.version)
    await clock.advanceBy(0)
    for (const name of ['a', 'b', 'c', 'd'])
      await api.create(leases, { metadata: { name, namespace } })
    await api.create(kronJobs, kronJob('e'))
    await clock.advanceBy(0)
    expect(watch.names()).toEqual(['ADDED e', 'BOOKMARK '])
    expect(watch.seen[1]?.object.metadata.resourceVersion).toBe('100')
    api.bookmark()
    await clock.advanceBy(0)
    expect(watch.names()).toEqual(['ADDED e', 'BOOKMARK ', 'BOOKMARK '])
  })
})
