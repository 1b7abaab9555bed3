import { VirtualClock } from '@kron/runtime/testing'
import { describe, expect, it } from 'vitest'
import { jobs, type KubeObject, kronJobs } from '../../src/kube/kube-object.js'
import { MemoryKubeApi, type MemoryKubeApiOptions } from './memory-kube-api.js'

const namespace = 'default'

function setup(options: Partial<MemoryKubeApiOptions> = {}) {
  const clock = new VirtualClock(new Date('2025-03-01T08:00:00Z'))
  const api = new MemoryKubeApi({ clock, ...options })
  const owner = api.objects.create(kronJobs, { metadata: { name: 'owner', namespace } })
  const changes: string[] = []
  api.onChange(({ type, object }) => changes.push(`${type} ${object.metadata.name}`))
  return { clock, api, owner, changes }
}

function dependent(name: string, owner: KubeObject, blockOwnerDeletion = true): KubeObject {
  const { uid } = owner.metadata
  const reference = { apiVersion: 'x', kind: 'X', name: owner.metadata.name, uid: uid! }
  const ownerReferences = [{ ...reference, controller: true, blockOwnerDeletion }]
  return { metadata: { name, namespace, ownerReferences } }
}

const named = (name: string) => ({ namespace, name })

describe('garbage collection', () => {
  it('takes what an owner leaves behind, all the way down', () => {
    const { api, owner, changes } = setup()
    const job = api.objects.create(jobs, dependent('job', owner))
    api.objects.create(jobs, dependent('below', job))
    api.objects.delete(kronJobs, named('owner'), { propagation: 'Background' })
    expect(api.objects.all(jobs)).toHaveLength(2)
    api.collectGarbage()
    expect(api.objects.all(jobs)).toEqual([])
    expect(changes.slice(2)).toEqual(['DELETED owner', 'DELETED job', 'DELETED below'])
  })

  it('takes what was created for an owner that is gone already, or of another uid', () => {
    const { api, owner } = setup()
    api.objects.delete(kronJobs, named('owner'), { propagation: 'Background' })
    api.objects.create(kronJobs, { metadata: { name: 'owner', namespace } })
    api.objects.create(jobs, dependent('job', owner))
    api.collectGarbage()
    expect(api.objects.all(jobs)).toEqual([])
  })

  it('lets go of an owner only after what blocks its deletion', async () => {
    const { api, owner, changes, clock } = setup()
    const finalizers = ['example.com/slow']
    const job = dependent('job', owner)
    api.objects.create(jobs, { ...job, metadata: { ...job.metadata, finalizers } })
    await clock.advanceBy(5000)
    await api.delete(kronJobs, named('owner'), { propagation: 'Foreground' })
    api.collectGarbage()
    expect(api.objects.find(kronJobs, named('owner'))?.metadata).toMatchObject({
      deletionTimestamp: '2025-03-01T08:00:05Z',
      finalizers: ['foregroundDeletion'],
      generation: 2,
    })
    expect(changes).toEqual(['ADDED job', 'MODIFIED owner', 'MODIFIED job'])
    api.objects.patch(jobs, named('job'), { metadata: { finalizers: null } })
    api.collectGarbage()
    expect(changes.slice(3)).toEqual(['DELETED job', 'DELETED owner'])
  })

  it('does not wait for dependents that do not block', () => {
    const { api, owner, changes } = setup()
    api.objects.create(jobs, dependent('job', owner, false))
    api.collectGarbage()
    api.objects.delete(kronJobs, named('owner'), { propagation: 'Foreground' })
    const finalizers = ['example.com/slow']
    api.objects.patch(jobs, named('job'), { metadata: { finalizers } })
    api.collectGarbage()
    expect(changes.slice(3)).toEqual(['MODIFIED job', 'DELETED owner'])
  })

  it('leaves what has another owner, without the reference to the one that is gone', () => {
    const { api, owner } = setup()
    const other = api.objects.create(kronJobs, { metadata: { name: 'other', namespace } })
    const [first, second] = [owner, other].map((one) => dependent('job', one).metadata)
    const ownerReferences = [...first!.ownerReferences!, ...second!.ownerReferences!]
    api.objects.create(jobs, { metadata: { name: 'job', namespace, ownerReferences } })
    api.objects.delete(kronJobs, named('owner'), { propagation: 'Background' })
    api.collectGarbage()
    expect(api.objects.find(jobs, named('job'))?.metadata.ownerReferences).toEqual(
      second!.ownerReferences,
    )
  })

  it('deletes at once what was waiting when somebody deletes it in the background', () => {
    const { api, owner, changes } = setup()
    api.objects.create(jobs, dependent('job', owner))
    api.objects.delete(kronJobs, named('owner'), { propagation: 'Foreground' })
    api.objects.delete(kronJobs, named('owner'), { propagation: 'Background' })
    expect(changes).toEqual(['ADDED job', 'MODIFIED owner', 'DELETED owner'])
  })

  it('runs by itself after its delay, and sleeps when there is nothing to do', async () => {
    const { api, owner, clock } = setup({ garbageDelayMs: 2000 })
    api.objects.create(jobs, dependent('job', owner))
    await clock.advanceBy(2000)
    expect(clock.pending).toBe(0)
    api.objects.delete(kronJobs, named('owner'), { propagation: 'Foreground' })
    await clock.advanceBy(1999)
    expect(api.objects.all(jobs)).toHaveLength(1)
    await clock.advanceBy(1)
    expect([...api.objects.all(jobs), ...api.objects.all(kronJobs)]).toEqual([])
    expect(clock.pending).toBe(0)
  })
})
