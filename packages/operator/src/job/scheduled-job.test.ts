import type { Decision } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { at, kronJobOf } from '../../testing/cluster/samples.js'
import { template } from '../../testing/cluster/virtual-cluster.js'
import { compileKronJob, type KronJob } from '../kronjob/index.js'
import { jobName } from './job-name.js'
import { checkedJob, manualJob, scheduledJob } from './scheduled-job.js'

const kronJob = kronJobOf({ window: { duration: '30m' } })
const decision: Decision = compileKronJob(kronJob).decide(at('10:00:00'))

const withMetadata = (metadata: Record<string, unknown>): KronJob =>
  kronJobOf({ jobTemplate: { ...template, metadata } })

describe('the Job of a period', () => {
  it('tells when it was to be and when it is, apart from each other', () => {
    expect(decision.chosenTime).toBeGreaterThan(decision.nominalTime)
    const { annotations } = scheduledJob(kronJob, decision).metadata
    expect(annotations).toMatchObject({
      'kron.io/nominal-time': '2026-03-01T10:00:00Z',
      'kron.io/chosen-time': new Date(decision.chosenTime!).toISOString().replace('.000', ''),
      'kron.io/seed-hash': decision.seedHash,
    })
  })

  it('has nothing of the object that its template was copied from', () => {
    const copied = {
      name: 'old',
      namespace: 'elsewhere',
      generateName: 'old-',
      uid: 'u',
      resourceVersion: '9',
      generation: 4,
      creationTimestamp: '2020-01-01T00:00:00Z',
      deletionTimestamp: '2020-01-01T00:00:00Z',
      deletionGracePeriodSeconds: 30,
      managedFields: [{}],
      selfLink: '/old',
      ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'x', uid: 'y' }],
    }
    const { metadata } = scheduledJob(withMetadata(copied), decision)
    const { labels, annotations, ...others } = metadata
    expect(others).toEqual({
      name: jobName('backup', decision.periodId),
      namespace: 'default',
      ownerReferences: [expect.objectContaining({ kind: 'KronJob', name: 'backup' })],
    })
  })

  it('keeps what else people write into its metadata', () => {
    const metadata = { finalizers: ['example.com/keep'], futureField: 'x' }
    expect(scheduledJob(withMetadata(metadata), decision).metadata).toMatchObject(metadata)
  })

  it('of a KronJob with a long name has that as a label that fits', () => {
    const long = { ...kronJob, metadata: { ...kronJob.metadata, name: 'a'.repeat(100) } }
    const { labels } = scheduledJob(long, decision).metadata
    expect(labels!['kron.io/name']).toMatch(/^a{54}-[0-9a-f]{8}$/)
  })
})

describe('a Job of no period', () => {
  it.each([
    ['manual', manualJob(kronJob, 'abcde'), 'backup-manual-abcde'],
    ['check', checkedJob(kronJob), 'backup-check'],
  ])('says that it is a %s one, and is owned by the KronJob', (run, { metadata }, name) => {
    expect(metadata).toEqual({
      name,
      namespace: 'default',
      labels: { 'kron.io/name': 'backup' },
      annotations: { 'kron.io/run': run },
      ownerReferences: [
        {
          apiVersion: 'kron.io/v1alpha1',
          kind: 'KronJob',
          name: 'backup',
          uid: 'owner',
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    })
  })
})
