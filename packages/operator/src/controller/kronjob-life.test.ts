import { afterEach, describe, expect, it } from 'vitest'
import {
  VirtualCluster,
  type VirtualClusterOptions,
} from '../../testing/cluster/virtual-cluster.js'
import { jobs, kronJobs } from '../kube/index.js'

let stop: () => Promise<void> = async () => undefined
afterEach(() => stop())

function cluster(options: VirtualClusterOptions = {}): VirtualCluster {
  const made = new VirtualCluster(options)
  stop = made.startController().stop
  return made
}

const seconds = (afterMs: number) => () =>
  ({ outcome: 'complete', afterMs: afterMs * 1000 }) as const

describe('a KronJob', () => {
  it('that is deleted takes its Jobs along, and starts none', async () => {
    const c = cluster()
    c.apply('backup')
    await c.until('10:00:10')
    c.api.objects.delete(
      kronJobs,
      { namespace: 'default', name: 'backup' },
      { propagation: 'Background' },
    )
    await c.until('11:00:10')
    expect(c.jobs()).toEqual([])
  })

  it('that is deleted and applied again does not run its period twice', async () => {
    const c = cluster()
    c.apply('backup', { policy: { deadline: '30m' } })
    await c.until('10:00:10')
    c.api.objects.delete(
      kronJobs,
      { namespace: 'default', name: 'backup' },
      { propagation: 'Background' },
    )
    c.apply('backup', { policy: { deadline: '30m' } })
    await c.until('10:59:00')
    expect(c.world.runs).toHaveLength(1)
  })

  it('counts a Job that somebody wants now as active', async () => {
    const c = cluster({ fateOf: seconds(3600) })
    const kronJob = c.apply('backup')
    await c.until('09:59:50')
    const { manualJob } = await import('../job/index.js')
    c.api.objects.create(jobs, manualJob(kronJob, 'abcde'))
    await c.until('10:00:10')
    expect(c.jobs()).toHaveLength(1)
    expect(c.status('backup')).toMatchObject({ lastOutcome: 'skipped', activeCount: 1 })
  })

  it('that waits for a finalizer when it is deleted starts nothing, and is left alone', async () => {
    const c = cluster()
    c.apply('backup')
    const name = { namespace: 'default', name: 'backup' }
    c.api.objects.patch(kronJobs, name, { metadata: { finalizers: ['example.com/wait'] } })
    await c.until('09:59:50')
    c.api.objects.delete(kronJobs, name, { propagation: 'Background' })
    await c.until('09:59:51')
    const { resourceVersion } = c.kronJob('backup').metadata
    await c.until('11:00:10')
    expect(c.jobs()).toEqual([])
    expect(c.kronJob('backup').metadata.resourceVersion).toBe(resourceVersion)
  })

  it('keeps as many Jobs as its limits say, and none longer than it must', async () => {
    const c = cluster({ fateOf: seconds(1) })
    c.apply('backup', { schedule: '*/10 * * * *', successfulJobsHistoryLimit: 2 })
    c.apply('bare', {
      schedule: '0 * * * *',
      policy: { deadline: '3m' },
      successfulJobsHistoryLimit: 0,
    })
    await c.until('10:04:00')
    expect(c.jobs()).toHaveLength(2)
    await c.until('10:04:02')
    expect(c.jobs()).toHaveLength(1)
    await c.until('10:31:00')
    expect(c.periods()).toEqual(['2026-03-01T10:20:00Z', '2026-03-01T10:30:00Z'])
    expect(c.logged('pruned')).toHaveLength(3)
  })

  it('leaves the status alone when nothing changes', async () => {
    const c = cluster({ fateOf: seconds(5) })
    c.apply('backup')
    await c.until('10:10:00')
    const { resourceVersion } = c.kronJob('backup').metadata
    await c.until('10:50:00')
    expect(c.kronJob('backup').metadata.resourceVersion).toBe(resourceVersion)
  })
})
