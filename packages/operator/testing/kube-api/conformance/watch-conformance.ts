import { expect } from 'vitest'
import type { WatchEvent } from '../../../src/kube/kube-api.js'
import { jobs, kronJobs } from '../../../src/kube/kube-object.js'
import type { Sentence } from './kube-api-conformance.js'
import { sampleJob, sampleKronJob } from './sample-objects.js'
import { isDeletionOf } from './watch-reader.js'

const background = { propagation: 'Background' } as const
const versionOf = ({ object }: WatchEvent): number => Number(object.metadata.resourceVersion)

export function describeWatches(sentence: Sentence): void {
  sentence('shows what happens, in order and as it was answered', async (world) => {
    const { api, namespace, follow } = world
    const name = { namespace, name: 'a' }
    const { resourceVersion } = await api.list(kronJobs, { namespace })
    const watch = follow(kronJobs, { resourceVersion })
    const made = await api.create(kronJobs, sampleKronJob(namespace, 'a'))
    expect(await watch.next()).toEqual({ type: 'ADDED', object: made })
    const patched = await api.patch(kronJobs, name, { metadata: { labels: { app: 'x' } } })
    expect(await watch.next()).toEqual({ type: 'MODIFIED', object: patched })
    await api.delete(kronJobs, name, background)
    const deleted = await watch.next()
    const resourceVersionThen = deleted?.object.metadata.resourceVersion
    const metadata = { ...patched.metadata, resourceVersion: resourceVersionThen }
    expect(deleted).toEqual({ type: 'DELETED', object: { ...patched, metadata } })
    expect(Number(resourceVersionThen)).toBeGreaterThan(Number(patched.metadata.resourceVersion))
  })

  sentence('misses nothing that comes after a list, and repeats nothing before', async (world) => {
    const { api, namespace, follow } = world
    await api.create(kronJobs, sampleKronJob(namespace, 'before'))
    const { items, resourceVersion } = await api.list(kronJobs, { namespace })
    expect(items).toHaveLength(1)
    const names = Array.from({ length: 20 }, (_, at) => `n-${at}`)
    await Promise.all(
      names.map(async (name) => {
        await api.create(kronJobs, sampleKronJob(namespace, name))
        await api.patch(kronJobs, { namespace, name }, { metadata: { labels: { a: 'b' } } })
      }),
    )
    await api.create(kronJobs, sampleKronJob(namespace, 'last'))
    const watch = follow(kronJobs, { resourceVersion })
    const seen = await watch.until(({ object }) => object.metadata.name === 'last')
    expect(seen).toHaveLength(41)
    const versions = seen.map(versionOf)
    expect(versions).toEqual(versions.toSorted((one, other) => one - other))
    expect(versions.every((version) => version > Number(resourceVersion))).toBe(true)
    for (const name of names) {
      const types = seen.filter(({ object }) => object.metadata.name === name)
      expect(types.map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED'])
    }
  })

  sentence('goes on from the version of any event', async ({ api, namespace, follow }) => {
    const { resourceVersion } = await api.list(kronJobs, { namespace })
    for (const name of ['a', 'b', 'c']) await api.create(kronJobs, sampleKronJob(namespace, name))
    const first = await follow(kronJobs, { resourceVersion }).next()
    const version = first?.object.metadata.resourceVersion
    const again = follow(kronJobs, { resourceVersion: version! })
    expect(await again.texts(2)).toEqual(['ADDED b', 'ADDED c'])
  })

  sentence('shows one kind, in one namespace', async ({ api, namespace, follow }) => {
    const { resourceVersion } = await api.list(jobs, { namespace })
    const watch = follow(jobs, { resourceVersion })
    const elsewhere = follow(kronJobs, { resourceVersion, namespace: `${namespace}-other` })
    const silence = elsewhere.next().then(
      (event) => event,
      () => 'closed',
    )
    await api.create(kronJobs, sampleKronJob(namespace, 'a'))
    await api.create(jobs, sampleJob(namespace, 'b'))
    const seen = await watch.next()
    expect(seen).toMatchObject({ type: 'ADDED', object: { kind: 'Job', apiVersion: 'batch/v1' } })
    expect(seen?.object.metadata.name).toBe('b')
    await elsewhere.close()
    expect(await silence).toBe('closed')
  })

  sentence('shows all namespaces when none is asked for', async ({ api, namespace, follow }) => {
    const { resourceVersion } = await api.list(kronJobs, {})
    const made = await api.create(kronJobs, sampleKronJob(namespace, 'a'))
    const everywhere = { resourceVersion, timeoutSeconds: 60 }
    const abort = new AbortController()
    for await (const event of api.watch(kronJobs, everywhere, abort.signal)) {
      if (event.object.metadata.uid !== made.metadata.uid) continue
      expect(event.type).toBe('ADDED')
      break
    }
    abort.abort()
    expect(await follow(kronJobs, { resourceVersion }).texts(1)).toEqual(['ADDED a'])
  })

  sentence('shows what begins to match a selector, and what no longer does', async (world) => {
    const { api, namespace, follow } = world
    const { resourceVersion } = await api.list(kronJobs, { namespace })
    const watch = follow(kronJobs, { resourceVersion, labelSelector: 'app=x' })
    const label = (name: string, app: string | null) =>
      api.patch(kronJobs, { namespace, name }, { metadata: { labels: { app } } })
    await api.create(kronJobs, sampleKronJob(namespace, 'a', { app: 'x' }))
    await api.create(kronJobs, sampleKronJob(namespace, 'b', { app: 'y' }))
    await label('b', 'x')
    await label('a', 'y')
    await label('a', 'z')
    await api.delete(kronJobs, { namespace, name: 'a' }, background)
    await api.delete(kronJobs, { namespace, name: 'b' }, background)
    const seen = await watch.until(isDeletionOf('b'))
    expect(seen.map(({ type, object }) => `${type} ${object.metadata.name}`)).toEqual([
      'ADDED a',
      'ADDED b',
      'DELETED a',
      'DELETED b',
    ])
    expect(seen[2]?.object.metadata.labels).toEqual({ app: 'x' })
    expect(versionOf(seen[2]!)).toBeGreaterThan(versionOf(seen[1]!))
  })

  sentence('begins with what there is, without a version', async ({ api, namespace, follow }) => {
    for (const name of ['a', 'b']) await api.create(kronJobs, sampleKronJob(namespace, name))
    const watch = follow(kronJobs, { resourceVersion: '' })
    expect((await watch.texts(2)).toSorted()).toEqual(['ADDED a', 'ADDED b'])
    await api.create(kronJobs, sampleKronJob(namespace, 'c'))
    expect(await watch.texts(1)).toEqual(['ADDED c'])
  })

  sentence('can not begin at a version of long ago', async ({ api, namespace, follow }) => {
    await api.create(kronJobs, sampleKronJob(namespace, 'a'))
    const beginning = follow(kronJobs, { resourceVersion: '1' }).next()
    await expect(beginning).rejects.toMatchObject({ status: 410, reason: 'Expired' })
  })

  sentence(
    'can not begin at a version that is forgotten, but at those after it',
    async ({ api, namespace, follow, compact }) => {
      const { resourceVersion } = await api.list(kronJobs, { namespace })
      // Two, since the last version is never forgotten, and the watch would begin with it.
      await api.create(kronJobs, sampleKronJob(namespace, 'a'))
      await api.create(kronJobs, sampleKronJob(namespace, 'a-2'))
      await compact!()
      const beginning = follow(kronJobs, { resourceVersion }).next()
      await expect(beginning).rejects.toMatchObject({ status: 410 })
      const list = await api.list(kronJobs, { namespace })
      await api.create(kronJobs, sampleKronJob(namespace, 'b'))
      const watch = follow(kronJobs, { resourceVersion: list.resourceVersion })
      expect(await watch.texts(1)).toEqual(['ADDED b'])
    },
    ({ compact }) => compact !== undefined,
  )

  sentence('ends after the time that was asked for', async ({ api, namespace, follow }) => {
    const { resourceVersion } = await api.list(kronJobs, { namespace })
    const watch = follow(kronJobs, { resourceVersion, timeoutSeconds: 1 })
    await api.create(kronJobs, sampleKronJob(namespace, 'a'))
    expect(await watch.texts(1)).toEqual(['ADDED a'])
    expect(await watch.next()).toBeNull()
  })

  sentence(
    'ends when the connection is cut',
    async ({ api, namespace, follow, cutWatches }) => {
      const { resourceVersion } = await api.list(kronJobs, { namespace })
      const watch = follow(kronJobs, { resourceVersion })
      await api.create(kronJobs, sampleKronJob(namespace, 'a'))
      expect(await watch.texts(1)).toEqual(['ADDED a'])
      const next = watch.next()
      await cutWatches!()
      expect(await next).toBeNull()
    },
    ({ cutWatches }) => cutWatches !== undefined,
  )

  sentence('rejects with the reason of its signal', async ({ api, namespace, follow }) => {
    const { resourceVersion } = await api.list(kronJobs, { namespace })
    const watch = follow(kronJobs, { resourceVersion })
    await api.create(kronJobs, sampleKronJob(namespace, 'a'))
    expect(await watch.texts(1)).toEqual(['ADDED a'])
    const reason = new Error('shutting down')
    const next = expect(watch.next()).rejects.toBe(reason)
    watch.abort(reason)
    await next
  })

  sentence('does not begin when its signal has aborted before', async (world) => {
    const { api, namespace, follow } = world
    const { resourceVersion } = await api.list(kronJobs, { namespace })
    const watch = follow(kronJobs, { resourceVersion })
    const reason = new Error('never mind')
    watch.abort(reason)
    await expect(watch.next()).rejects.toBe(reason)
  })
}
