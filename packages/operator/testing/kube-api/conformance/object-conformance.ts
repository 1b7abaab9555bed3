import { expect } from 'vitest'
import { ApiFailure, hasStatus } from '../../../src/kube/api-failure.js'
import { events, jobs, kronJobs, leases } from '../../../src/kube/kube-object.js'
import type { Sentence } from './kube-api-conformance.js'
import { sampleEvent, sampleJob, sampleKronJob, sampleLease } from './sample-objects.js'

const notFound = { status: 404, reason: 'NotFound' }

export function describeObjects(sentence: Sentence): void {
  sentence('gives what is created its identity, and hands it out again', async (world) => {
    const { api, namespace } = world
    const made = await api.create(kronJobs, sampleKronJob(namespace, 'a', { app: 'x' }))
    expect(made).toMatchObject({ apiVersion: 'kron.io/v1alpha1', kind: 'KronJob' })
    expect(made.metadata).toMatchObject({ name: 'a', namespace, labels: { app: 'x' } })
    expect(made.metadata.uid).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    expect(made.metadata.resourceVersion).toMatch(/^[1-9]\d*$/)
    expect(made.metadata.creationTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    expect(made.metadata.generation).toBe(1)
    expect(await api.get(kronJobs, { namespace, name: 'a' })).toEqual(made)
  })

  sentence('does not let the creator choose the identity', async ({ api, namespace }) => {
    const asked = sampleKronJob(namespace, 'a')
    const chosen = {
      uid: '11111111-2222-3333-4444-555555555555',
      creationTimestamp: '2001-01-01T00:00:00Z',
      generation: 7,
    }
    const made = await api.create(kronJobs, {
      ...asked,
      metadata: { ...asked.metadata, ...chosen },
    })
    expect(made.metadata.uid).not.toBe(chosen.uid)
    expect(made.metadata.creationTimestamp).not.toBe(chosen.creationTimestamp)
    expect(made.metadata.generation).toBe(1)
  })

  sentence('does not create what names a version', async ({ api, namespace }) => {
    const asked = sampleKronJob(namespace, 'a')
    const metadata = { ...asked.metadata, resourceVersion: '1' }
    const creating = api.create(kronJobs, { ...asked, metadata })
    await expect(creating).rejects.toBeInstanceOf(ApiFailure)
    expect((await api.list(kronJobs, { namespace })).items).toEqual([])
  })

  sentence('creates a name once only', async ({ api, namespace }) => {
    const first = await api.create(jobs, sampleJob(namespace, 'a'))
    const failure = await api.create(jobs, sampleJob(namespace, 'a')).catch((error) => error)
    expect(failure).toBeInstanceOf(ApiFailure)
    expect(failure).toMatchObject({ status: 409, reason: 'AlreadyExists', isAmbiguous: false })
    const kept = await api.get(jobs, { namespace, name: 'a' })
    expect(kept.metadata.uid).toBe(first.metadata.uid)
  })

  sentence('tells whether it would create an object, and keeps nothing', async (world) => {
    const { api, namespace } = world
    await api.tryCreate(jobs, sampleJob(namespace, 'a'))
    expect((await api.list(jobs, { namespace })).items).toEqual([])
    await api.create(jobs, sampleJob(namespace, 'a'))
    const again = api.tryCreate(jobs, sampleJob(namespace, 'a'))
    await expect(again).rejects.toMatchObject({ status: 409, reason: 'AlreadyExists' })
    const unnamable = api.tryCreate(jobs, sampleJob(namespace, 'A_B'))
    await expect(unnamable).rejects.toMatchObject({ status: 422, reason: 'Invalid' })
  })

  sentence('lets exactly one of many create a name', async ({ api, namespace }) => {
    const attempts = Array.from({ length: 8 }, () => api.create(jobs, sampleJob(namespace, 'a')))
    const outcomes = await Promise.allSettled(attempts)
    const refused = outcomes.filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(7)
    for (const { reason } of refused as PromiseRejectedResult[]) {
      expect(hasStatus(reason, 409)).toBe(true)
    }
  })

  sentence('finds a name for who asks for one', async ({ api, namespace }) => {
    const asked = sampleKronJob(namespace, '')
    const metadata = { name: '', generateName: 'made-', namespace }
    const one = await api.create(kronJobs, { ...asked, metadata })
    const other = await api.create(kronJobs, { ...asked, metadata })
    expect(one.metadata.name).toMatch(/^made-[a-z0-9]{5}$/)
    expect(other.metadata.name).not.toBe(one.metadata.name)
  })

  sentence('says of each verb that there is no such object', async ({ api, namespace }) => {
    const name = { namespace, name: 'absent' }
    const absent = sampleKronJob(namespace, 'absent')
    const metadata = { ...absent.metadata, resourceVersion: '1' }
    const status = { subresource: 'status' } as const
    await expect(api.get(kronJobs, name)).rejects.toMatchObject(notFound)
    await expect(api.patch(kronJobs, name, { spec: {} })).rejects.toMatchObject(notFound)
    await expect(api.patch(kronJobs, name, {}, status)).rejects.toMatchObject(notFound)
    await expect(api.replace(kronJobs, { ...absent, metadata })).rejects.toMatchObject(notFound)
    const deletion = api.delete(kronJobs, name, { propagation: 'Background' })
    await expect(deletion).rejects.toMatchObject(notFound)
  })

  sentence('fills in defaults, and drops a status that was not reported', async (world) => {
    const { api, namespace } = world
    const asked = { ...sampleKronJob(namespace, 'a'), status: { observedGeneration: 1 } }
    const made = await api.create(kronJobs, asked)
    expect(made['spec']).toMatchObject({
      timezone: 'UTC',
      policy: { concurrency: 'forbid', suspend: false },
      successfulJobsHistoryLimit: 3,
    })
    expect(made).not.toHaveProperty('status')
  })

  sentence('refuses what the schema does not allow', async ({ api, namespace }) => {
    const { spec, ...rest } = sampleKronJob(namespace, 'a')
    const policy = { concurrency: 'sometimes' }
    const wrong = { ...rest, spec: { ...(spec as object), policy } }
    const invalid = { status: 422, reason: 'Invalid' }
    await expect(api.create(kronJobs, wrong)).rejects.toMatchObject(invalid)
    await api.create(kronJobs, sampleKronJob(namespace, 'a'))
    const patching = api.patch(kronJobs, { namespace, name: 'a' }, { spec: { policy } })
    await expect(patching).rejects.toMatchObject(invalid)
  })

  sentence('refuses names that are none, and objects of another kind', async (world) => {
    const { api, namespace } = world
    const unnamable = api.create(kronJobs, sampleKronJob(namespace, 'Not_A_Name'))
    await expect(unnamable).rejects.toMatchObject({ status: 422, reason: 'Invalid' })
    const misplaced = api.create(kronJobs, sampleJob(namespace, 'a'))
    await expect(misplaced).rejects.toMatchObject({ status: 400, reason: 'BadRequest' })
  })

  sentence('keeps fields of a Job template that nobody knows', async ({ api, namespace }) => {
    const asked = sampleKronJob(namespace, 'a')
    const spec = {
      schedule: '0 8 * * *',
      jobTemplate: {
        metadata: { annotations: { note: 'x' }, labels: { tier: 'back' } },
        spec: {
          fieldOfTheFuture: { deep: [1, { er: true }] },
          template: {
            metadata: { annotations: { a: 'b' } },
            spec: {
              restartPolicy: 'Never',
              containers: [{ name: 'main', image: 'none', unheardOf: 1 }],
            },
          },
        },
      },
    }
    const made = await api.create(kronJobs, { ...asked, spec })
    expect(made['spec']).toMatchObject({ jobTemplate: spec.jobTemplate })
    const name = { namespace, name: 'a' }
    await api.patch(kronJobs, name, { spec: { timezone: 'Europe/Berlin' } })
    const got = await api.get(kronJobs, name)
    expect((got['spec'] as typeof spec).jobTemplate).toEqual(spec.jobTemplate)
  })

  sentence('has Leases, Events and Jobs as well', async ({ api, namespace }) => {
    const job = await api.create(jobs, sampleJob(namespace, 'a'))
    const lease = await api.create(leases, sampleLease(namespace, 'a', 'me'))
    const event = await api.create(events, sampleEvent(namespace, 'a', job))
    const name = { namespace, name: 'a' }
    expect(await api.get(leases, name)).toEqual(lease)
    expect(await api.get(events, name)).toEqual(event)
    expect((await api.get(jobs, name)).metadata.uid).toBe(job.metadata.uid)
    expect(lease['spec']).toMatchObject({ holderIdentity: 'me', leaseDurationSeconds: 15 })
    expect(event).toMatchObject({ involvedObject: { uid: job.metadata.uid }, count: 1 })
    expect(await api.patch(events, name, { count: 2 })).toMatchObject({ count: 2 })
  })

  sentence('rejects with the reason of a signal that has aborted', async (world) => {
    const { api, namespace } = world
    const reason = new Error('no longer wanted')
    const signal = AbortSignal.abort(reason)
    const name = { namespace, name: 'a' }
    const object = sampleKronJob(namespace, 'a')
    const calls = [
      api.list(kronJobs, { namespace }, signal),
      api.get(kronJobs, name, signal),
      api.create(kronJobs, object, signal),
      api.replace(kronJobs, object, signal),
      api.patch(kronJobs, name, {}, {}, signal),
      api.delete(kronJobs, name, { propagation: 'Background' }, signal),
    ]
    for (const call of await Promise.allSettled(calls)) {
      expect(call).toEqual({ status: 'rejected', reason })
    }
    expect((await api.list(kronJobs, { namespace })).items).toEqual([])
  })
}
