import type { Clock } from '@kron/runtime'
import { afterEach, describe, expect, it } from 'vitest'
import {
  VirtualCluster,
  type VirtualClusterOptions,
} from '../../testing/cluster/virtual-cluster.js'
import { changedKubeApi } from '../../testing/kube-api/index.js'
import type { KubeApi } from '../kube/index.js'

let stop: () => Promise<void> = async () => undefined
afterEach(() => stop())

const tenMinutes = 600_000
const stuck = { fateOf: () => null, terminationMs: tenMinutes }

/** Its second period, at 10:10, replaces a Job whose Pod takes ten minutes to end. */
function replacing(deadline: string, options: VirtualClusterOptions = stuck): VirtualCluster {
  const c = new VirtualCluster(options)
  stop = c.startController().stop
  c.apply('backup', { schedule: '*/10 * * * *', policy: { concurrency: 'replace', deadline } })
  return c
}

const jobName = (c: VirtualCluster): string => c.jobs()[0]!.metadata.name

const text = (name: string): string =>
  `Job ${name} was deleted at 2026-03-01T10:10:00Z and is not gone yet`

const message = (name: string): string =>
  `${text(name)}, and no Job is created until it is; ` +
  `kubectl get pods -l job-name=${name} -n default shows what it waits for`

describe('a replacement that waits for a Pod that does not end', () => {
  it('says in a condition which Job it waits for, and since when', async () => {
    const c = replacing('9m')
    await c.until('10:10:30')
    const told = { reason: 'ReplacementWaiting', message: message(jobName(c)) }
    expect(c.condition('backup', 'SchedulingError')).toMatchObject({ status: 'True', ...told })
    expect(c.condition('backup', 'Ready')).toMatchObject({ status: 'False', ...told })
  })

  it('tells one event, and writes the status once', async () => {
    const c = replacing('9m')
    await c.until('10:10:30')
    const { resourceVersion } = c.kronJob('backup').metadata
    await c.until('10:18:59')
    expect(c.kronJob('backup').metadata.resourceVersion).toBe(resourceVersion)
    expect(c.messages().filter((each) => each.startsWith('ReplacementWaiting'))).toEqual([
      `ReplacementWaiting: period 2026-03-01T10:10:00Z waits: ${message(jobName(c))}`,
    ])
  })

  it('is logged as soon as it is unusual, and then once a minute', async () => {
    const c = replacing('9m')
    await c.until('10:10:05')
    const before = c.lines.length
    await c.until('10:18:00')
    const since = c.lines.slice(before)
    expect(since.map(({ event }) => event)).toEqual(Array(8).fill('replacement_waiting'))
    expect(since[0]).toMatchObject({
      level: 'warn',
      identity: 'default/backup',
      period_id: '2026-03-01T10:10:00Z',
      job: jobName(c),
      deleting_since: '2026-03-01T10:10:00Z',
      waited_ms: 10_000,
    })
  })

  it('is why its period is missed, at the deadline and not later', async () => {
    const c = replacing('5m')
    await c.until('10:15:00')
    expect(c.status('backup').lastPeriodID).toBe('2026-03-01T10:00:00Z')
    await c.until('10:15:02')
    expect(c.status('backup')).toMatchObject({
      lastPeriodID: '2026-03-01T10:10:00Z',
      lastOutcome: 'missed',
      lastReason: `5m1s late, deadline 5m; ${text(jobName(c))}`,
    })
  })

  it('starts nothing beside the old Job when its deletion is answered after the deadline', async () => {
    const slow = (api: KubeApi, clock: Clock): KubeApi =>
      changedKubeApi(api, {
        delete: async (...asked) => {
          await api.delete(...asked)
          await clock.sleep(30_000)
        },
      })
    const c = replacing('20s', { ...stuck, through: slow })
    await c.until('10:10:45')
    expect(c.world.runs).toHaveLength(1)
    expect(c.status('backup')).toMatchObject({
      lastPeriodID: '2026-03-01T10:10:00Z',
      lastOutcome: 'missed',
    })
  })

  it('is over when the Job is gone, also if that is too late for the period', async () => {
    const c = replacing('5m')
    await c.until('10:19:00')
    expect(c.condition('backup', 'Ready')).toMatchObject({ status: 'False' })
    await c.until('10:20:05')
    expect(c.condition('backup', 'SchedulingError')).toMatchObject({ status: 'False' })
    expect(c.condition('backup', 'Ready')).toMatchObject({ status: 'True' })
  })

  it('starts the period when the Job is gone in time', async () => {
    const c = replacing('9m', { ...stuck, terminationMs: 60_000 })
    await c.until('10:11:05')
    expect(c.periods()).toEqual(['2026-03-01T10:10:00Z'])
    expect(c.condition('backup', 'Ready')).toMatchObject({ status: 'True' })
  })

  it('says nothing of a Pod that ends as most do', async () => {
    const c = replacing('9m', { ...stuck, terminationMs: 5000 })
    await c.until('10:11:00')
    expect(c.told()).not.toContain('ReplacementWaiting')
    expect(c.logged('replacement_waiting')).toEqual([])
    expect(c.periods()).toEqual(['2026-03-01T10:10:00Z'])
  })

  it('is told on by the next leader, and not told twice', async () => {
    const c = replacing('9m')
    await c.until('10:12:00')
    await stop()
    stop = c.startController().stop
    await c.until('10:12:05')
    const condition = { status: 'True', reason: 'ReplacementWaiting' }
    expect(c.condition('backup', 'SchedulingError')).toMatchObject(condition)
    await c.until('10:14:00')
    expect(c.condition('backup', 'SchedulingError')).toMatchObject(condition)
    expect(c.told().filter((reason) => reason === 'ReplacementWaiting')).toHaveLength(1)
  })
})

describe('a period that is tried again', () => {
  it('is logged as due once', async () => {
    const refuse = (api: KubeApi): KubeApi =>
      changedKubeApi(api, { delete: () => Promise.reject(new Error('no')) })
    const c = replacing('9m', { fateOf: () => null, through: refuse })
    await c.until('10:15:00')
    expect(c.logged('trigger').map((line) => line['period_id'])).toEqual([
      '2026-03-01T10:00:00Z',
      '2026-03-01T10:10:00Z',
    ])
  })
})
