import { describe, expect, it } from 'vitest'
import {
  VirtualCluster,
  type VirtualClusterOptions,
} from '../../testing/cluster/virtual-cluster.js'
import { passingKubeApi } from '../../testing/kube-api/index.js'
import { manualJob } from '../job/index.js'
import { type GuardableKubeApi, jobs, type KubeApi, kronJobs } from '../kube/index.js'

/** An API server to which each change has to wait so long for a connection, from some time on. */
function crowdedCluster(waitMs: number, from: string, options: VirtualClusterOptions = {}) {
  const begin = Date.parse(`2026-03-01T${from}Z`)
  const cluster = new VirtualCluster({
    ...options,
    through: (api, clock): GuardableKubeApi => {
      const guardedBy = (guard: () => void): KubeApi =>
        passingKubeApi(api, {
          act: async (_, effect, signal) => {
            if (clock.now().getTime() >= begin) await clock.sleep(waitMs)
            guard()
            return effect(signal)
          },
          follow: (_, open, signal) => open(signal),
        })
      return Object.assign(
        guardedBy(() => undefined),
        { guardedBy },
      )
    },
  })
  cluster.startController()
  return cluster
}

describe('a Job that waited for a connection', () => {
  it.each([
    ['until its deadline has passed is not asked for, and its period missed', '65s', 'missed', 0],
    ['within its deadline is created', '75s', 'executed', 1],
    ['for a minute counts as started when it was due', '0s', 'executed', 1, 60_000],
    ['for longer is judged by the clock again', '0s', 'missed', 0, 60_001],
  ])('%s', async (_, deadline, outcome, created, waitMs = 70_000) => {
    const c = crowdedCluster(waitMs, '10:00:00')
    c.apply('backup', { policy: { deadline } })
    await c.until('10:05:00')
    expect(c.status('backup').lastOutcome).toBe(outcome)
    expect(c.jobs()).toHaveLength(created)
  })

  it('is not asked for if the KronJob was suspended meanwhile', async () => {
    const c = crowdedCluster(5000, '10:00:00')
    c.apply('backup', { policy: { deadline: '1m' } })
    await c.until('10:00:02')
    c.change('backup', { policy: { suspend: true } })
    await c.until('10:01:00')
    expect(c.jobs()).toEqual([])
    expect(c.status('backup').lastPeriodID).toBeUndefined()
  })

  it('is not asked for if the schedule was changed meanwhile', async () => {
    const c = crowdedCluster(5000, '10:00:00')
    c.apply('backup', { policy: { deadline: '1m' } })
    await c.until('10:00:02')
    c.change('backup', { schedule: '30 * * * *' })
    await c.until('10:01:00')
    expect(c.jobs()).toEqual([])
    expect(c.status('backup').nextPeriodID).toBe('2026-03-01T10:30:00Z')
  })

  it('is not asked for if its period was handled meanwhile, though the next one is due', async () => {
    const c = crowdedCluster(70_000, '10:00:00')
    const policy = { deadline: '5m', concurrency: 'allow' }
    c.apply('backup', { schedule: '* * * * *', policy })
    await c.until('10:00:30')
    const status = { lastPeriodID: '2026-03-01T10:00:00Z', lastOutcome: 'executed' }
    const name = { namespace: 'default', name: 'backup' }
    c.api.objects.patch(kronJobs, name, { status }, { subresource: 'status' })
    await c.until('10:02:00')
    expect(c.jobs()).toEqual([])
  })

  it('is not asked for if the KronJob is being deleted', async () => {
    const c = crowdedCluster(5000, '10:00:00')
    c.apply('backup', { policy: { deadline: '1m' } })
    const name = { namespace: 'default', name: 'backup' }
    c.api.objects.patch(kronJobs, name, { metadata: { finalizers: ['example.com/wait'] } })
    await c.until('10:00:02')
    c.api.objects.delete(kronJobs, name, { propagation: 'Background' })
    await c.until('10:01:00')
    expect(c.kronJob('backup').metadata.deletionTimestamp).toBeDefined()
    expect(c.jobs()).toEqual([])
  })

  it('is not asked for beside one that somebody started meanwhile, if that is forbidden', async () => {
    const c = crowdedCluster(5000, '10:00:00')
    const kronJob = c.apply('backup', { policy: { deadline: '1m' } })
    await c.until('10:00:02')
    c.api.objects.create(jobs, manualJob(kronJob, 'abcde'))
    await c.until('10:01:00')
    expect(c.jobs()).toHaveLength(1)
    expect(c.status('backup')).toMatchObject({ lastOutcome: 'skipped' })
  })
})

describe('a Job that is to replace what runs', () => {
  it('waits for one too that somebody started meanwhile', async () => {
    const c = crowdedCluster(5000, '10:00:00', { fateOf: () => null, terminationMs: 3000 })
    const kronJob = c.apply('backup', { policy: { concurrency: 'replace', deadline: '1m' } })
    await c.until('10:00:02')
    c.api.objects.create(jobs, manualJob(kronJob, 'abcde'))
    await c.until('10:01:00')
    expect(c.world.runs).toHaveLength(2)
    const [manual, scheduled] = c.world.runs
    expect(manual!.endedAt!.getTime()).toBeLessThan(scheduled!.startedAt.getTime())
    expect(c.told()).toContain('Replaced')
  })
})

describe('a deletion that is to make room', () => {
  it('is not asked for when the period is lost by then', async () => {
    const c = crowdedCluster(70_000, '10:09:00', { fateOf: () => null })
    c.apply('backup', {
      schedule: '*/10 * * * *',
      policy: { concurrency: 'replace', deadline: '65s' },
    })
    await c.until('10:16:00')
    expect(c.periods()).toEqual(['2026-03-01T10:00:00Z'])
    expect(c.world.running).toHaveLength(1)
    expect(c.status('backup')).toMatchObject({ lastOutcome: 'missed' })
    expect(c.told()).not.toContain('Replaced')
    expect(c.observed).not.toContain('failed create_job')
    expect(c.logged('error')).toEqual([])
  })

  it('and is answered when the old Job is gone has the period started at once', async () => {
    const c = new VirtualCluster({
      fateOf: () => null,
      terminationMs: 1000,
      through: (api, clock) =>
        passingKubeApi(api, {
          act: async ({ verb }, effect, signal) => {
            const done = await effect(signal)
            if (verb === 'delete') await clock.sleep(5000)
            return done
          },
          follow: (_, open, signal) => open(signal),
        }),
    })
    c.startController()
    const policy = { concurrency: 'replace', deadline: '30s' } as const
    c.apply('backup', { schedule: '*/10 * * * *', policy })
    await c.until('10:10:20')
    expect(c.jobs()[0]!.metadata.creationTimestamp).toBe('2026-03-01T10:10:05Z')
    expect(c.logged('replaced')).toHaveLength(1)
    expect(c.logged('error')).toEqual([])
  })
})
