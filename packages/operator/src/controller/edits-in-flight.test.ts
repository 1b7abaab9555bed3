import { describe, expect, it } from 'vitest'
import { VirtualCluster } from '../../testing/cluster/virtual-cluster.js'
import { passingKubeApi } from '../../testing/kube-api/index.js'
import { jobs, type KubeApi, kronJobs } from '../kube/index.js'

/** An API server that creates a Job at once, and answers five seconds later. */
function slowlyAnsweringCluster(): VirtualCluster {
  const cluster = new VirtualCluster({
    fateOf: () => ({ outcome: 'complete', afterMs: 1000 }),
    through: (api: KubeApi, clock) =>
      passingKubeApi(api, {
        act: async ({ verb, resource }, effect, signal) => {
          const done = await effect(signal)
          if (verb === 'create' && resource === jobs) await clock.sleep(5000)
          return done
        },
        follow: (_, open, signal) => open(signal),
      }),
  })
  cluster.startController()
  return cluster
}

const minutely = { schedule: '* * * * *', successfulJobsHistoryLimit: 10 }

describe('a KronJob that changes while its Job is being created', () => {
  it('goes on with the new schedule, and not once more with the old one', async () => {
    const c = slowlyAnsweringCluster()
    c.apply('backup', minutely)
    await c.until('10:00:02')
    c.change('backup', { schedule: '30 10 * * *' })
    await c.until('10:00:10')
    expect(c.status('backup')).toMatchObject({
      lastPeriodID: '2026-03-01T10:00:00Z',
      nextPeriodID: '2026-03-01T10:30:00Z',
    })
    await c.until('10:31:00')
    expect(c.periods()).toEqual(['2026-03-01T10:00:00Z', '2026-03-01T10:30:00Z'])
  })

  it('starts nothing more when it is suspended', async () => {
    const c = slowlyAnsweringCluster()
    c.apply('backup', minutely)
    await c.until('10:00:02')
    c.change('backup', { policy: { suspend: true } })
    await c.until('10:05:00')
    expect(c.periods()).toEqual(['2026-03-01T10:00:00Z'])
    expect(c.status('backup').nextPeriodID).toBeUndefined()
  })

  it('starts nothing more when it is deleted', async () => {
    const c = slowlyAnsweringCluster()
    c.apply('backup', minutely)
    await c.until('10:00:02')
    const name = { namespace: 'default', name: 'backup' }
    c.api.objects.delete(kronJobs, name, { propagation: 'Background' })
    await c.until('10:05:00')
    expect(c.world.runs).toHaveLength(1)
    expect(c.jobs()).toEqual([])
  })
})
