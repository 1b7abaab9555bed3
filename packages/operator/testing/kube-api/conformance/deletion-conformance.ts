import { expect } from 'vitest'
import type { WatchEvent } from '../../../src/kube/kube-api.js'
import { jobs, kronJobs } from '../../../src/kube/kube-object.js'
import type { KubeApiUnderTest, Sentence } from './kube-api-conformance.js'
import { sampleJob, sampleKronJob } from './sample-objects.js'
import { isDeletionOf } from './watch-reader.js'

const background = { propagation: 'Background' } as const
const foreground = { propagation: 'Foreground' } as const
const collects = ({ collectsGarbage }: KubeApiUnderTest): boolean => collectsGarbage === true
const finalizer = 'kron.io/conformance'

const versionOf = (event: WatchEvent | undefined): number =>
  Number(event?.object.metadata.resourceVersion)

export function describeDeletion(sentence: Sentence): void {
  sentence('deletes at once in the background, and the name is free', async (world) => {
    const { api, namespace } = world
    const name = { namespace, name: 'a' }
    const first = await api.create(kronJobs, sampleKronJob(namespace, 'a'))
    await api.delete(kronJobs, name, background)
    await expect(api.get(kronJobs, name)).rejects.toMatchObject({ status: 404 })
    const second = await api.create(kronJobs, sampleKronJob(namespace, 'a'))
    expect(second.metadata.uid).not.toBe(first.metadata.uid)
  })

  sentence('deletes only the object of the uid that is named', async ({ api, namespace }) => {
    const name = { namespace, name: 'a' }
    const first = await api.create(kronJobs, sampleKronJob(namespace, 'a'))
    await api.delete(kronJobs, name, { ...background, uid: first.metadata.uid! })
    const second = await api.create(kronJobs, sampleKronJob(namespace, 'a'))
    for (const propagation of ['Background', 'Foreground'] as const) {
      const late = api.delete(kronJobs, name, { propagation, uid: first.metadata.uid! })
      await expect(late).rejects.toMatchObject({ status: 409, reason: 'Conflict' })
    }
    expect(await api.get(kronJobs, name)).toEqual(second)
  })

  sentence('keeps what has finalizers until they are removed', async (world) => {
    const { api, namespace, follow } = world
    const name = { namespace, name: 'a' }
    const asked = sampleKronJob(namespace, 'a')
    const metadata = { ...asked.metadata, finalizers: [finalizer] }
    const made = await api.create(kronJobs, { ...asked, metadata })
    const watch = follow(kronJobs, { resourceVersion: made.metadata.resourceVersion! })
    await api.delete(kronJobs, name, background)
    const marked = await api.get(kronJobs, name)
    expect(marked.metadata.deletionTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    expect(marked.metadata.generation).toBe(2)
    await api.delete(kronJobs, name, background)
    expect(await api.get(kronJobs, name)).toEqual(marked)
    await expect(api.create(kronJobs, asked)).rejects.toMatchObject({ reason: 'AlreadyExists' })
    const more = { metadata: { finalizers: [finalizer, 'kron.io/another'] } }
    await expect(api.patch(kronJobs, name, more)).rejects.toMatchObject({ status: 422 })
    const unmarked = await api.patch(kronJobs, name, { metadata: { deletionTimestamp: null } })
    expect(unmarked).toEqual(marked)
    await api.patch(kronJobs, name, { metadata: { finalizers: null } })
    await expect(api.get(kronJobs, name)).rejects.toMatchObject({ status: 404 })
    expect(await watch.texts(2)).toEqual(['MODIFIED a', 'DELETED a'])
  })

  sentence('marks what is deleted in the foreground before it goes', async (world) => {
    const { api, namespace, follow } = world
    const made = await api.create(kronJobs, sampleKronJob(namespace, 'a'))
    const watch = follow(kronJobs, { resourceVersion: made.metadata.resourceVersion! })
    await api.delete(kronJobs, { namespace, name: 'a' }, foreground)
    const marked = await watch.next()
    expect(marked?.type).toBe('MODIFIED')
    expect(marked?.object.metadata.finalizers).toEqual(['foregroundDeletion'])
    expect(marked?.object.metadata.deletionTimestamp).toBeDefined()
    expect(marked?.object['spec']).toEqual(made['spec'])
  })

  sentence(
    'deletes in the foreground what owns nothing',
    async ({ api, namespace, follow }) => {
      const { metadata } = await api.create(jobs, sampleJob(namespace, 'a'))
      const watch = follow(jobs, { resourceVersion: metadata.resourceVersion! })
      await api.delete(jobs, { namespace, name: 'a' }, { ...foreground, uid: metadata.uid! })
      await watch.until(isDeletionOf('a'))
      await expect(api.get(jobs, { namespace, name: 'a' })).rejects.toMatchObject({ status: 404 })
    },
    collects,
  )

  sentence(
    'keeps an owner that is deleted in the foreground until what it owns is gone',
    async ({ api, namespace, follow }) => {
      const owner = await api.create(kronJobs, sampleKronJob(namespace, 'owner'))
      const asked = sampleJob(namespace, 'job', owner)
      const metadata = { ...asked.metadata, finalizers: [finalizer] }
      const job = await api.create(jobs, { ...asked, metadata })
      const resourceVersion = job.metadata.resourceVersion!
      const [ofOwners, ofJobs] = [kronJobs, jobs].map((kind) => follow(kind, { resourceVersion }))
      await api.delete(kronJobs, { namespace, name: 'owner' }, foreground)
      await ofJobs!.until(({ object }) => object.metadata.deletionTimestamp !== undefined)
      const waiting = await api.get(kronJobs, { namespace, name: 'owner' })
      expect(waiting.metadata.finalizers).toEqual(['foregroundDeletion'])
      const { finalizers = [] } = (await api.get(jobs, { namespace, name: 'job' })).metadata
      const others = finalizers.filter((one) => one !== finalizer)
      await api.patch(jobs, { namespace, name: 'job' }, { metadata: { finalizers: others } })
      const jobGone = (await ofJobs!.until(isDeletionOf('job'))).at(-1)
      const ownerGone = (await ofOwners!.until(isDeletionOf('owner'))).at(-1)
      expect(versionOf(jobGone)).toBeLessThan(versionOf(ownerGone))
    },
    collects,
  )

  sentence(
    'deletes what was owned after an owner that is deleted in the background',
    async ({ api, namespace, follow }) => {
      const owner = await api.create(kronJobs, sampleKronJob(namespace, 'owner'))
      const job = await api.create(jobs, sampleJob(namespace, 'job', owner))
      const resourceVersion = job.metadata.resourceVersion!
      const [ofOwners, ofJobs] = [kronJobs, jobs].map((kind) => follow(kind, { resourceVersion }))
      await api.delete(kronJobs, { namespace, name: 'owner' }, background)
      const ownerGone = (await ofOwners!.until(isDeletionOf('owner'))).at(-1)
      const jobGone = (await ofJobs!.until(isDeletionOf('job'))).at(-1)
      expect(versionOf(ownerGone)).toBeLessThan(versionOf(jobGone))
    },
    collects,
  )
}
