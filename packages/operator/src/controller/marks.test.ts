import { afterEach, describe, expect, it } from 'vitest'
import { template, VirtualCluster } from '../../testing/cluster/virtual-cluster.js'
import { manualJob } from '../job/index.js'
import type { KronJob } from '../kronjob/index.js'
import { jobs, type KubeObject, kronJobs } from '../kube/index.js'

let stop: () => Promise<void> = async () => undefined
afterEach(() => stop())

function cluster(): VirtualCluster {
  const made = new VirtualCluster({ fateOf: () => ({ outcome: 'complete', afterMs: 5000 }) })
  stop = made.startController().stop
  return made
}

const farAway = {
  labels: { 'kron.io/period-id': '2099-01-01T00-00-00Z', 'kron.io/future': 'x' },
  annotations: {
    'kron.io/period-id': '2099-01-01T00:00:00Z',
    'kron.io/run': 'x',
    'kron.io/nominal-time': '2099-01-01T00:00:00Z',
    team: 'blue',
  },
}
const jobTemplate = { ...template, metadata: farAway }

const marksOf = ({ metadata }: KubeObject): string[] =>
  [...Object.values(metadata.labels ?? {}), ...Object.values(metadata.annotations ?? {})].sort()

/** A Job of the KronJob, as somebody's script may create it. */
function scripted({ metadata: { uid = '', name } }: KronJob): KubeObject {
  const owner = { apiVersion: 'kron.io/v1alpha1', kind: 'KronJob', name, uid, controller: true }
  const labels = { ...farAway.labels, 'kron.io/name': name }
  const metadata = { ...farAway, labels, name: 'scripted', namespace: 'default' }
  return {
    ...template,
    metadata: { ...metadata, ownerReferences: [{ ...owner, blockOwnerDeletion: true }] },
  }
}

describe('a mark of another period', () => {
  it('in a template is dropped, and stops nothing', async () => {
    const c = cluster()
    const kronJob = c.apply('backup', { jobTemplate })
    await c.until('09:59:40')
    c.api.objects.create(jobs, manualJob(kronJob, 'abcde'))
    await c.until('11:00:10')
    expect(c.periods()).toEqual([
      '2026-03-01T10:00:00Z',
      '2026-03-01T11:00:00Z',
      'backup-manual-abcde',
    ])
    const manual = c.jobs().find(({ metadata }) => metadata.name.includes('manual'))
    expect(marksOf(manual!)).toEqual(['backup', 'blue', 'manual'])
    expect(c.jobs().flatMap(marksOf).join()).not.toContain('2099')
  })

  it('on a Job that has not the name of that period does not count', async () => {
    const c = cluster()
    const kronJob = c.apply('backup')
    await c.until('09:59:40')
    c.api.objects.create(jobs, scripted(kronJob))
    await c.until('10:00:10')
    expect(c.periods()).toContain('2026-03-01T10:00:00Z')
    expect(c.status('backup')).toMatchObject({
      lastPeriodID: '2026-03-01T10:00:00Z',
      nextPeriodID: '2026-03-01T11:00:00Z',
    })
  })

  it('that somebody writes over ours neither stops the KronJob nor runs its period again', async () => {
    const c = cluster()
    c.apply('backup', { policy: { deadline: '30m' }, successfulJobsHistoryLimit: 9 })
    await c.until('10:00:10')
    await stop()
    const { name } = c.jobs()[0]!.metadata
    c.api.objects.patch(jobs, { namespace: 'default', name }, { metadata: farAway })
    const backup = { namespace: 'default', name: 'backup' }
    c.api.objects.patch(kronJobs, backup, { status: null }, { subresource: 'status' })
    stop = c.startController().stop
    await c.until('11:00:10')
    expect(c.world.runs).toHaveLength(2)
    expect(c.status('backup').lastPeriodID).toBe('2026-03-01T11:00:00Z')
  })
})
