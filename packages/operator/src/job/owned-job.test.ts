import { describe, expect, it } from 'vitest'
import { at, kronJobOf } from '../../testing/cluster/samples.js'
import { compileKronJob } from '../kronjob/index.js'
import type { KubeObject, ObjectMeta, OwnerReference } from '../kube/index.js'
import { isActive, ownedJob } from './owned-job.js'
import { scheduledJob } from './scheduled-job.js'

const kronJob = kronJobOf()
const made = scheduledJob(kronJob, compileKronJob(kronJob).decide(at('10:00:00')))
const period = { nominalTime: at('10:00:00'), chosenTime: at('10:00:00') }
const [owner] = made.metadata.ownerReferences as [OwnerReference]

/** The Job as a server has it. */
const stored = (metadata: Partial<ObjectMeta> = {}, status?: object): KubeObject => ({
  ...made,
  metadata: {
    ...made.metadata,
    uid: 'u',
    resourceVersion: '5',
    creationTimestamp: '2026-03-01T10:00:01Z',
    ...metadata,
  },
  ...(status !== undefined && { status }),
})

const condition = (type: string, status = 'True', lastTransitionTime = '2026-03-01T10:05:00Z') => ({
  type,
  status,
  lastTransitionTime,
})

describe('a Job that a KronJob owns', () => {
  it('is known by its name, its owner and its period', () => {
    expect(ownedJob(stored())).toEqual({
      namespace: 'default',
      name: made.metadata.name,
      uid: 'u',
      ownerUid: 'owner',
      resourceVersion: '5',
      createdAt: at('10:00:01'),
      period,
      state: 'active',
      finishedAt: null,
      deletingSince: null,
    })
  })

  it.each<[string, readonly OwnerReference[] | undefined]>([
    ['nobody', undefined],
    ['a KronJob that does not control it', [{ ...owner, controller: false }]],
    ['another kind', [{ ...owner, kind: 'CronJob' }]],
    ['a KronJob of another group', [{ ...owner, apiVersion: 'other.io/v1' }]],
    [
      'another that controls it, beside a KronJob',
      [
        { ...owner, controller: false },
        { ...owner, kind: 'Workflow', uid: 'w' },
      ],
    ],
  ])('is not one that is owned by %s', (_, ownerReferences) => {
    expect(ownedJob(stored({ ownerReferences: ownerReferences as never }))).toBeNull()
  })

  it('may be owned by a later version of KronJobs, and by others that do not control it', () => {
    const others = { ...owner, kind: 'Workflow', uid: 'w', controller: false }
    const later = { ...owner, apiVersion: 'kron.io/v2' }
    expect(ownedJob(stored({ ownerReferences: [others, later] }))).toMatchObject({
      ownerUid: 'owner',
      period,
    })
  })

  it.each([
    ['its label', { annotations: {} }, { nominalTime: at('10:00:00'), chosenTime: null }],
    ['its annotation', { labels: {} }, period],
    ['neither', { labels: {}, annotations: {} }, null],
    ['marks, but the name of another', { name: 'backup-copy' }, null],
  ])('has its period by %s', (_, metadata, expected) => {
    expect(ownedJob(stored(metadata))!.period).toEqual(expected)
  })

  it.each<[string, object, object]>([
    ['runs', { active: 1 }, { state: 'active', finishedAt: null }],
    [
      'was about to fail, but did not',
      { conditions: [condition('Failed', 'False'), condition('Suspended')] },
      { state: 'active', finishedAt: null },
    ],
    [
      'has completed',
      { completionTime: '2026-03-01T10:04:00Z', conditions: [condition('Complete')] },
      { state: 'succeeded', finishedAt: at('10:04:00') },
    ],
    [
      'has completed, it does not say when',
      { conditions: [condition('Complete')] },
      { state: 'succeeded', finishedAt: at('10:05:00') },
    ],
    [
      'has failed',
      { conditions: [condition('FailureTarget'), condition('Failed')] },
      { state: 'failed', finishedAt: at('10:05:00') },
    ],
    [
      'is only about to end',
      { conditions: [condition('SuccessCriteriaMet'), condition('FailureTarget')] },
      { state: 'active', finishedAt: null },
    ],
  ])('that %s is seen to', (_, status, expected) => {
    const job = ownedJob(stored({}, status))!
    expect(job).toMatchObject(expected)
    expect(isActive(job)).toBe(job.state === 'active')
  })

  it.each([
    ['2026-03-01T10:06:00Z', at('10:06:00')],
    ['soon', 0],
  ])('is being deleted since %s', (deletionTimestamp, since) => {
    expect(ownedJob(stored({ deletionTimestamp }))!.deletingSince).toBe(since)
  })
})
