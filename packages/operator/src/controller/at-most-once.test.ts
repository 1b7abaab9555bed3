import { describe, expect, it } from 'vitest'
import { VirtualCluster } from '../../testing/cluster/virtual-cluster.js'
import { type ApiCall, FaultyKubeApi } from '../../testing/kube-api/index.js'
import { jobs, kronJobs } from '../kube/index.js'

describe('what was done', () => {
  const minute = { schedule: '*/10 * * * *', policy: { deadline: '8m' } }
  const lasting = { fateOf: () => ({ outcome: 'complete', afterMs: 5000 }) as const }

  it('is not done again when the status is erased by hand', async () => {
    const c = new VirtualCluster(lasting)
    c.startController()
    c.apply('backup', { ...minute, successfulJobsHistoryLimit: 0 })
    for (let second = 0; second < 1500; second += 7) {
      await c.clock.advanceBy(7000)
      c.api.objects.patch(
        kronJobs,
        { namespace: 'default', name: 'backup' },
        { status: null },
        { subresource: 'status' },
      )
    }
    await c.clock.advanceBy(100)
    expect(c.world.runs).toHaveLength(3)
    expect(c.status('backup').lastOutcome).toBe('executed')
  })

  it('is not done again by a successor when the status is erased meanwhile', async () => {
    const c = new VirtualCluster(lasting)
    const first = c.startController()
    c.apply('backup', { ...minute, successfulJobsHistoryLimit: 0 })
    await c.until('10:01:30')
    await first.stop()
    c.api.objects.patch(
      kronJobs,
      { namespace: 'default', name: 'backup' },
      { status: null },
      { subresource: 'status' },
    )
    c.startController()
    await c.until('10:09:50')
    expect(c.world.runs).toHaveLength(1)
    expect(c.status('backup')).toMatchObject({ lastPeriodID: '2026-03-01T10:00:00Z' })
  })

  it('is not done again when its Job is deleted, and the status erased under a later leader', async () => {
    const c = new VirtualCluster(lasting)
    const first = c.startController()
    c.apply('backup', minute)
    await c.until('10:00:30')
    const { name } = c.jobs()[0]!.metadata
    c.api.objects.delete(jobs, { namespace: 'default', name }, { propagation: 'Background' })
    await c.until('10:01:00')
    await first.stop()
    c.startController()
    await c.until('10:02:00')
    c.eraseStatus('backup')
    await c.until('10:09:50')
    expect(c.world.runs).toHaveLength(1)
    expect(c.status('backup').lastPeriodID).toBe('2026-03-01T10:00:00Z')
  })

  it('is not done again when its Job is deleted by hand', async () => {
    const c = new VirtualCluster(lasting)
    c.startController()
    c.apply('backup', minute)
    await c.until('10:00:02')
    const { name } = c.jobs()[0]!.metadata
    c.api.objects.delete(jobs, { namespace: 'default', name }, { propagation: 'Background' })
    await c.until('10:09:50')
    expect(c.world.runs).toHaveLength(1)
    expect(c.jobs()).toEqual([])
  })

  it('is not done again by one whose watches stand still', async () => {
    const c = new VirtualCluster(lasting)
    c.startController()
    c.startController()
    c.apply('backup', { ...minute, successfulJobsHistoryLimit: 0 })
    await c.until('09:59:50')
    c.api.holdWatches()
    await c.until('10:05:00')
    c.api.releaseWatches()
    await c.until('10:25:00')
    expect(c.world.runs).toHaveLength(3)
  })

  it('is not done again after the history of the API server is compacted', async () => {
    const c = new VirtualCluster(lasting)
    c.startController()
    c.apply('backup', minute)
    for (let minutes = 0; minutes < 31; minutes++) {
      await c.clock.advanceBy(30_000)
      c.api.cutWatches()
      c.api.compact()
      await c.clock.advanceBy(30_000)
    }
    expect(c.world.runs).toHaveLength(4)
    expect(c.status('backup')).toMatchObject({ lastPeriodID: '2026-03-01T10:30:00Z' })
  })
})

describe('a controller that has lost its lease', () => {
  it('writes nothing any more', async () => {
    const c = new VirtualCluster()
    let isLeading = true
    c.startController({ isLeading: () => isLeading })
    c.apply('backup')
    await c.until('09:59:50')
    isLeading = false
    const { version } = c.api
    await c.until('10:10:00')
    expect(c.api.version).toBe(version)
  })
})

describe('a Job that is gone before the status tells of it', () => {
  it('is not created again by who has seen it', async () => {
    const isStatus = ({ verb, resource }: ApiCall): boolean =>
      verb === 'patch' && resource.plural === kronJobs.plural
    const c = new VirtualCluster({
      fateOf: () => ({ outcome: 'complete', afterMs: 1000 }),
      through: (api, clock) =>
        new FaultyKubeApi(api, clock, [
          {
            call: 1,
            of: ({ verb, resource }) => verb === 'create' && resource === jobs,
            fault: 'lost-answer',
          },
          { call: 2, of: isStatus, fault: 'unavailable', forever: true },
        ]),
    })
    c.startController()
    c.apply('backup', { policy: { deadline: '30m' } })
    await c.until('10:00:00')
    await c.clock.advanceBy(50)
    const [job] = c.jobs()
    const name = { namespace: 'default', name: job!.metadata.name }
    c.api.objects.delete(jobs, name, { propagation: 'Background' })
    await c.until('10:29:00')
    expect(c.jobs()).toEqual([])
  })
})
