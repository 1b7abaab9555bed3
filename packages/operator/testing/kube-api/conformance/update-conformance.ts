import { expect } from 'vitest'
import { kronJobs, leases } from '../../../src/kube/kube-object.js'
import type { Sentence } from './kube-api-conformance.js'
import { sampleKronJob, sampleLease } from './sample-objects.js'

const stale = { status: 409, reason: 'Conflict' }
const status = { subresource: 'status' } as const

export function describeUpdates(sentence: Sentence): void {
  sentence('merges a patch, and removes what is null in it', async ({ api, namespace }) => {
    const name = { namespace, name: 'a' }
    const labels = { keep: '1', change: '1', remove: '1' }
    const made = await api.create(kronJobs, sampleKronJob(namespace, 'a', labels))
    const patched = await api.patch(kronJobs, name, {
      metadata: { labels: { change: '2', remove: null, add: '2' } },
      spec: { constraints: { only: ['hours=8-18'] } },
    })
    expect(patched.metadata.labels).toEqual({ keep: '1', change: '2', add: '2' })
    expect(patched).toMatchObject({
      spec: { schedule: '0 8 * * *', constraints: { only: ['hours=8-18'] } },
    })
    expect(patched.metadata.resourceVersion).not.toBe(made.metadata.resourceVersion)
    const shorter = { spec: { constraints: { only: ['dow=MON'] } } }
    expect(await api.patch(kronJobs, name, shorter)).toMatchObject(shorter)
  })

  sentence('raises the generation when the spec changes, and only then', async (world) => {
    const { api, namespace } = world
    const name = { namespace, name: 'a' }
    await api.create(kronJobs, sampleKronJob(namespace, 'a'))
    const patch = async (change: object, options = {}) =>
      (await api.patch(kronJobs, name, change, options)).metadata.generation
    expect(await patch({ metadata: { annotations: { a: 'b' } } })).toBe(1)
    expect(await patch({ status: { observedGeneration: 1 } }, status)).toBe(1)
    expect(await patch({ spec: { schedule: '0 9 * * *' } })).toBe(2)
    expect(await patch({ spec: { schedule: '0 9 * * *' } })).toBe(2)
    expect(await patch({ metadata: { generation: 9 } })).toBe(2)
  })

  sentence('keeps version and silence when a patch changes nothing', async (world) => {
    const { api, namespace, follow } = world
    const name = { namespace, name: 'a' }
    const made = await api.create(kronJobs, sampleKronJob(namespace, 'a', { app: 'x' }))
    const reported = await api.patch(kronJobs, name, { status: { lastReason: 'x' } }, status)
    const resourceVersion = reported.metadata.resourceVersion!
    expect(resourceVersion).not.toBe(made.metadata.resourceVersion)
    const same = [
      api.patch(kronJobs, name, {}),
      api.patch(kronJobs, name, { metadata: { labels: { app: 'x', absent: null } } }),
      api.patch(kronJobs, name, { spec: { schedule: '0 8 * * *' } }),
      api.patch(kronJobs, name, { status: { lastReason: 'x' } }, status),
      api.replace(kronJobs, reported),
    ]
    for (const { metadata } of await Promise.all(same)) {
      expect(metadata.resourceVersion).toBe(resourceVersion)
    }
    await api.create(kronJobs, sampleKronJob(namespace, 'b'))
    expect(await follow(kronJobs, { resourceVersion }).texts(1)).toEqual(['ADDED b'])
  })

  sentence('patches the spec without the status', async ({ api, namespace }) => {
    const name = { namespace, name: 'a' }
    await api.create(kronJobs, sampleKronJob(namespace, 'a'))
    await api.patch(kronJobs, name, { status: { lastReason: 'x' } }, status)
    const both = { spec: { timezone: 'Europe/Berlin' }, status: { lastReason: 'y' } }
    const patched = await api.patch(kronJobs, name, both)
    expect(patched).toMatchObject({ spec: both.spec, status: { lastReason: 'x' } })
    const removed = await api.patch(kronJobs, name, { status: null })
    expect(removed).toMatchObject({ status: { lastReason: 'x' } })
  })

  sentence('patches the status without the rest', async ({ api, namespace }) => {
    const name = { namespace, name: 'a' }
    const made = await api.create(kronJobs, sampleKronJob(namespace, 'a', { app: 'x' }))
    const patched = await api.patch(
      kronJobs,
      name,
      {
        metadata: { labels: { app: 'y' } },
        spec: { schedule: '0 9 * * *' },
        status: { observedGeneration: 1, lastReason: 'x' },
      },
      status,
    )
    expect(patched.metadata.labels).toEqual({ app: 'x' })
    expect(patched['spec']).toEqual(made['spec'])
    expect(patched['status']).toMatchObject({ observedGeneration: 1, lastReason: 'x' })
    expect(patched.metadata.resourceVersion).not.toBe(made.metadata.resourceVersion)
    const shorter = await api.patch(kronJobs, name, { status: { lastReason: null } }, status)
    expect(shorter['status']).not.toHaveProperty('lastReason')
    expect(shorter['status']).toMatchObject({ observedGeneration: 1 })
  })

  sentence('patches only the version that the patch names', async ({ api, namespace }) => {
    const name = { namespace, name: 'a' }
    const { metadata } = await api.create(kronJobs, sampleKronJob(namespace, 'a'))
    const at = { resourceVersion: metadata.resourceVersion }
    const labels = { app: 'x' }
    const patched = await api.patch(kronJobs, name, { metadata: { ...at, labels } })
    expect(patched.metadata.labels).toEqual(labels)
    const late = { metadata: { ...at, labels: { app: 'y' } } }
    await expect(api.patch(kronJobs, name, late)).rejects.toMatchObject(stale)
    const report = { metadata: at, status: { lastReason: 'x' } }
    await expect(api.patch(kronJobs, name, report, status)).rejects.toMatchObject(stale)
    expect(await api.get(kronJobs, name)).toEqual(patched)
  })

  sentence('does not let a patch change who an object is', async ({ api, namespace }) => {
    const name = { namespace, name: 'a' }
    const made = await api.create(kronJobs, sampleKronJob(namespace, 'a'))
    const patch = (metadata: object) => api.patch(kronJobs, name, { metadata })
    const { uid, creationTimestamp } = made.metadata
    const other = '11111111-2222-3333-4444-555555555555'
    await expect(patch({ uid: other })).rejects.toMatchObject({ status: 422, reason: 'Invalid' })
    await expect(patch({ name: 'b' })).rejects.toMatchObject({ status: 400 })
    await expect(patch({ name: null })).rejects.toMatchObject({ status: 400 })
    const patched = await patch({ uid, creationTimestamp: '2001-01-01T00:00:00Z' })
    expect(patched.metadata).toMatchObject({ uid, creationTimestamp })
  })

  sentence('replaces the whole object, but not its status', async ({ api, namespace }) => {
    const name = { namespace, name: 'a' }
    await api.create(kronJobs, sampleKronJob(namespace, 'a', { app: 'x' }))
    const current = await api.patch(kronJobs, name, { status: { lastReason: 'x' } }, status)
    const { labels: _, ...metadata } = current.metadata
    const spec = { ...(current['spec'] as object), schedule: '0 9 * * *' }
    const { status: __, ...rest } = current
    const replaced = await api.replace(kronJobs, { ...rest, metadata, spec } as typeof current)
    expect(replaced).toMatchObject({ spec, status: { lastReason: 'x' } })
    expect(replaced.metadata).not.toHaveProperty('labels')
    expect(replaced.metadata.generation).toBe(2)
    expect(await api.get(kronJobs, name)).toEqual(replaced)
  })

  sentence('replaces only the object that was read', async ({ api, namespace }) => {
    const made = await api.create(kronJobs, sampleKronJob(namespace, 'a'))
    const { resourceVersion: _, ...unversioned } = made.metadata
    const blind = api.replace(kronJobs, { ...made, metadata: unversioned })
    await expect(blind).rejects.toMatchObject({ status: 422, reason: 'Invalid' })
    const metadata = { ...made.metadata, uid: '11111111-2222-3333-4444-555555555555' }
    await expect(api.replace(kronJobs, { ...made, metadata })).rejects.toMatchObject(stale)
  })

  sentence('lets exactly one of many replace the same version', async ({ api, namespace }) => {
    const { metadata } = await api.create(leases, sampleLease(namespace, 'a', 'nobody'))
    const attempts = ['p', 'q', 'r', 's'].map((holder) =>
      api.replace(leases, { ...sampleLease(namespace, 'a', holder), metadata }),
    )
    const outcomes = await Promise.allSettled(attempts)
    const [winner, ...others] = outcomes.filter(({ status }) => status === 'fulfilled')
    expect(others).toEqual([])
    for (const outcome of outcomes) {
      if (outcome !== winner) expect(outcome).toMatchObject({ reason: stale })
    }
    const { value } = winner as PromiseFulfilledResult<unknown>
    expect(await api.get(leases, { namespace, name: 'a' })).toEqual(value)
  })

  sentence('does not bring back a Lease that is gone by replacing it', async (world) => {
    const { api, namespace } = world
    const name = { namespace, name: 'a' }
    const lease = await api.create(leases, sampleLease(namespace, 'a', 'me'))
    await api.delete(leases, name, { propagation: 'Background' })
    await expect(api.replace(leases, lease)).rejects.toMatchObject(stale)
    await expect(api.get(leases, name)).rejects.toMatchObject({ status: 404 })
  })

  sentence('has no status of what has none', async ({ api, namespace }) => {
    await api.create(leases, sampleLease(namespace, 'a', 'me'))
    const patching = api.patch(leases, { namespace, name: 'a' }, { status: {} }, status)
    await expect(patching).rejects.toMatchObject({ status: 404 })
  })
}
