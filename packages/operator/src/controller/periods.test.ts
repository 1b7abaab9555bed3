import { afterEach, describe, expect, it } from 'vitest'
import {
  VirtualCluster,
  type VirtualClusterOptions,
} from '../../testing/cluster/virtual-cluster.js'

let stop: () => Promise<void> = async () => undefined
afterEach(() => stop())

function cluster(options: VirtualClusterOptions = {}): VirtualCluster {
  const made = new VirtualCluster(options)
  stop = made.startController().stop
  return made
}

const seconds = (afterMs: number) => () =>
  ({ outcome: 'complete', afterMs: afterMs * 1000 }) as const

describe('a period', () => {
  it('gets its Job in its chosen second, not earlier', async () => {
    const c = cluster()
    c.apply('backup')
    await c.until('09:59:59')
    expect(c.jobs()).toEqual([])
    await c.until('10:00:01')
    expect(c.periods()).toEqual(['2026-03-01T10:00:00Z'])
    expect(c.jobs()[0]!.metadata.creationTimestamp).toBe('2026-03-01T10:00:00Z')
  })

  it('gets a Job that says whose and which it is, with the template as it was written', async () => {
    const c = cluster()
    const jobTemplate = {
      metadata: { labels: { team: 'blue', 'kron.io/name': 'x' }, annotations: { why: 'because' } },
      spec: { template: { spec: { containers: [], futureField: { a: [1] } } }, suspend: false },
    }
    const { metadata } = c.apply('backup', { jobTemplate })
    await c.until('10:00:01')
    const job = c.jobs()[0]!
    expect(job['spec']).toEqual(jobTemplate.spec)
    expect(job.metadata.labels).toEqual({
      team: 'blue',
      'kron.io/name': 'backup',
      'kron.io/period-id': '2026-03-01T10-00-00Z',
    })
    expect(job.metadata.annotations).toEqual({
      why: 'because',
      'kron.io/period-id': '2026-03-01T10:00:00Z',
      'kron.io/nominal-time': '2026-03-01T10:00:00Z',
      'kron.io/chosen-time': '2026-03-01T10:00:00Z',
      'kron.io/seed-hash': expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(job.metadata.ownerReferences).toEqual([
      {
        apiVersion: 'kron.io/v1alpha1',
        kind: 'KronJob',
        name: 'backup',
        uid: metadata.uid,
        controller: true,
        blockOwnerDeletion: true,
      },
    ])
  })

  it('is reported in the status, with the one that follows', async () => {
    const c = cluster({ fateOf: seconds(30) })
    c.apply('backup')
    await c.until('10:00:10')
    const job = c.jobs()[0]!.metadata
    expect(c.status('backup')).toMatchObject({
      observedGeneration: 1,
      lastPeriodID: '2026-03-01T10:00:00Z',
      lastNominalTime: '2026-03-01T10:00:00Z',
      lastChosenTime: '2026-03-01T10:00:00Z',
      lastOutcome: 'executed',
      nextPeriodID: '2026-03-01T11:00:00Z',
      nextChosenTime: '2026-03-01T11:00:00Z',
      active: [{ kind: 'Job', name: job.name, uid: job.uid, namespace: 'default' }],
      activeCount: 1,
    })
    expect(c.condition('backup', 'Ready')).toMatchObject({ status: 'True' })
    await c.until('10:01:00')
    expect(c.status('backup')).toMatchObject({
      active: [],
      activeCount: 0,
      lastSuccessfulTime: '2026-03-01T10:00:30Z',
    })
    expect(c.told().sort()).toEqual(['JobCompleted', 'JobCreated'])
  })

  it('of a window is chosen as the core decides', async () => {
    const c = cluster()
    c.apply('backup', { window: { mode: 'after', duration: '30m' } })
    await c.until('09:59:40')
    const { nextChosenTime } = c.status('backup')
    await c.until(nextChosenTime!)
    await c.clock.advanceBy(999)
    expect(c.jobs().map(({ metadata }) => metadata.creationTimestamp)).toEqual([nextChosenTime])
  })

  it('that was due before the KronJob was created is not its own', async () => {
    const c = cluster({ at: Date.UTC(2026, 2, 1, 10, 0, 5) })
    c.apply('backup', { policy: { deadline: '30m' } })
    await c.until('10:59:59')
    expect(c.jobs()).toEqual([])
    expect(c.status('backup').lastPeriodID).toBeUndefined()
    expect(c.status('backup').nextPeriodID).toBe('2026-03-01T11:00:00Z')
  })

  it('is missed when nobody was there in time, and only the current one is', async () => {
    const c = new VirtualCluster()
    c.apply('backup')
    await c.until('13:00:30')
    stop = c.startController().stop
    await c.until('13:10:00')
    expect(c.jobs()).toEqual([])
    expect(c.status('backup')).toMatchObject({
      lastPeriodID: '2026-03-01T13:00:00Z',
      lastOutcome: 'missed',
      lastReason: '30s late, deadline 0s',
    })
    expect(c.told()).toEqual(['MissedDeadline'])
  })

  it('is executed late within its deadline, and none before it', async () => {
    const c = new VirtualCluster()
    c.apply('backup', { policy: { deadline: '10m' } })
    await c.until('13:00:30')
    stop = c.startController().stop
    await c.until('13:10:00')
    expect(c.periods()).toEqual(['2026-03-01T13:00:00Z'])
  })

  it('is shown however many without an allowed time come before it', async () => {
    const c = cluster()
    c.apply('backup', { schedule: '* * * * *', constraints: { only: ['months=6;hours=3'] } })
    await c.until('10:00:10')
    expect(c.status('backup')).toMatchObject({
      lastOutcome: 'unschedulable',
      nextPeriodID: '2026-06-01T03:00:00Z',
      nextChosenTime: '2026-06-01T03:00:00Z',
    })
    expect(c.condition('backup', 'Ready')).toMatchObject({ status: 'True' })
  })

  it('that is the last one leaves the KronJob finished, not ready', async () => {
    const c = cluster({ fateOf: seconds(5) })
    c.apply('backup', { constraints: { only: ['date=2026-03-01;hours=10-11'] } })
    await c.until('10:30:00')
    expect(c.condition('backup', 'Ready')).toMatchObject({ status: 'True' })
    await c.until('11:30:00')
    expect(c.periods()).toEqual(['2026-03-01T10:00:00Z', '2026-03-01T11:00:00Z'])
    expect(c.condition('backup', 'Ready')).toMatchObject({ status: 'False', reason: 'Finished' })
    expect(c.status('backup').nextPeriodID).toBeUndefined()
    await c.until('12:00:10')
    expect(c.status('backup')).toMatchObject({
      lastPeriodID: '2026-03-01T12:00:00Z',
      lastOutcome: 'unschedulable',
    })
  })

  it('without an allowed time is unschedulable, and the status looks beyond it', async () => {
    const c = cluster()
    c.apply('backup', { constraints: { only: ['hours=12-13'] } })
    await c.until('10:00:10')
    expect(c.jobs()).toEqual([])
    expect(c.status('backup')).toMatchObject({
      lastPeriodID: '2026-03-01T10:00:00Z',
      lastOutcome: 'unschedulable',
      nextChosenTime: '2026-03-01T12:00:00Z',
    })
    expect(c.condition('backup', 'Unschedulable')).toMatchObject({ status: 'True' })
    expect(c.told()).toEqual(['Unschedulable'])
    await c.until('12:00:10')
    expect(c.periods()).toEqual(['2026-03-01T12:00:00Z'])
    expect(c.condition('backup', 'Unschedulable')).toMatchObject({ status: 'False' })
  })

  it('is executed once however often the clock is set back', async () => {
    const c = cluster({ fateOf: seconds(1) })
    c.apply('backup', { policy: { deadline: '30m' }, successfulJobsHistoryLimit: 10 })
    await c.until('10:05:00')
    c.clock.step(-600_000)
    await c.until('10:10:00')
    expect(c.jobs()).toHaveLength(1)
    c.clock.step(3_600_000)
    await c.clock.advanceBy(120_000)
    expect(c.periods()).toEqual(['2026-03-01T10:00:00Z', '2026-03-01T11:00:00Z'])
  })
})

describe('concurrency', () => {
  const minutely = (concurrency: string, deadline = '0s') => ({
    schedule: '* * * * *',
    policy: { concurrency, deadline },
    successfulJobsHistoryLimit: 10,
  })

  it('forbid skips a period while a Job is active', async () => {
    const c = cluster({ fateOf: seconds(90) })
    c.apply('backup', minutely('forbid'))
    await c.until('10:01:10')
    expect(c.periods()).toEqual(['2026-03-01T10:00:00Z'])
    expect(c.status('backup')).toMatchObject({ lastOutcome: 'skipped', lastReason: 'concurrency' })
    expect(c.told()).toContain('SkippedConcurrency')
    expect(c.logged('trigger').map(({ verdict }) => verdict)).toEqual(['execute', 'skipped'])
    await c.until('10:02:10')
    expect(c.periods()).toEqual(['2026-03-01T10:00:00Z', '2026-03-01T10:02:00Z'])
  })

  it('allow has several at once', async () => {
    const c = cluster({ fateOf: seconds(150) })
    c.apply('backup', minutely('allow'))
    await c.until('10:02:10')
    expect(c.jobs()).toHaveLength(3)
    expect(c.status('backup')).toMatchObject({ activeCount: 3 })
  })

  it.each(['0s', '30s'])(
    'replace (deadline %s) waits until the old one is gone',
    async (deadline) => {
      const c = cluster({ fateOf: () => null, terminationMs: 5000 })
      c.apply('backup', minutely('replace', deadline))
      await c.until('10:01:03')
      expect(c.periods()).toEqual(['2026-03-01T10:00:00Z'])
      expect(c.jobs()[0]!.metadata.deletionTimestamp).toBe('2026-03-01T10:01:00Z')
      await c.until('10:01:10')
      expect(c.periods()).toEqual(['2026-03-01T10:01:00Z'])
      expect(c.world.running).toHaveLength(1)
      const [first, second] = c.world.runs
      expect(first!.endedAt!.getTime()).toBeLessThan(second!.startedAt.getTime())
      expect(c.told()).toContain('Replaced')
    },
  )

  it('replace gives up when the next period takes over', async () => {
    const c = cluster({ fateOf: () => null, terminationMs: 130_000 })
    c.apply('backup', minutely('replace'))
    await c.until('10:02:10')
    expect(c.status('backup')).toMatchObject({
      lastPeriodID: '2026-03-01T10:01:00Z',
      lastOutcome: 'missed',
      nextPeriodID: '2026-03-01T10:02:00Z',
    })
    await c.until('10:03:20')
    expect(c.periods()).toEqual(['2026-03-01T10:03:00Z'])
  })

  it('replace gives up at the deadline when the old one does not go', async () => {
    const c = cluster({ fateOf: () => null, terminationMs: 50_000 })
    c.apply('backup', minutely('replace', '20s'))
    await c.until('10:01:19')
    expect(c.status('backup').lastPeriodID).toBe('2026-03-01T10:00:00Z')
    await c.until('10:01:25')
    expect(c.status('backup')).toMatchObject({
      lastPeriodID: '2026-03-01T10:01:00Z',
      lastOutcome: 'missed',
    })
    await c.until('10:01:59')
    expect(c.jobs()).toEqual([])
  })
})

describe('suspension', () => {
  it('handles no period, and resuming looks at the current one only', async () => {
    const c = cluster()
    c.apply('backup', { schedule: '*/10 * * * *', policy: { deadline: '5m', suspend: true } })
    await c.until('10:52:00')
    expect(c.jobs()).toEqual([])
    expect(c.condition('backup', 'Suspended')).toMatchObject({ status: 'True' })
    expect(c.condition('backup', 'Ready')).toMatchObject({ status: 'False', reason: 'Suspended' })
    expect(c.status('backup').lastPeriodID).toBeUndefined()
    expect(c.status('backup').nextChosenTime).toBeUndefined()
    c.change('backup', { policy: { suspend: false } })
    await c.until('10:52:10')
    expect(c.periods()).toEqual(['2026-03-01T10:50:00Z'])
    expect(c.condition('backup', 'Suspended')).toMatchObject({ status: 'False' })
  })
})

describe('a specification', () => {
  it('that can never run is invalid', async () => {
    const c = cluster()
    c.apply('backup', { schedule: '0 12 * * *', constraints: { only: ['hours=3'] } })
    await c.until('10:00:10')
    expect(c.condition('backup', 'InvalidSpec')).toMatchObject({
      status: 'True',
      reason: 'ScheduleNever',
    })
    expect(c.condition('backup', 'Ready')).toMatchObject({ status: 'False' })
  })

  it('that is invalid is reported and schedules nothing, while others go on', async () => {
    const c = cluster({ fateOf: seconds(60) })
    c.apply('broken', { window: { mode: 'after', duration: '2h' } })
    c.apply('fine')
    await c.until('10:00:10')
    expect(c.jobs().map(({ metadata }) => metadata.labels?.['kron.io/name'])).toEqual(['fine'])
    expect(c.condition('broken', 'InvalidSpec')).toMatchObject({
      status: 'True',
      reason: 'WindowOverlap',
      message: expect.stringContaining('too large'),
    })
    expect(c.condition('broken', 'Ready')).toMatchObject({ status: 'False' })
    expect(c.messages()).toContainEqual(expect.stringMatching(/^InvalidSpec: .*too large/))
    c.change('broken', { window: { duration: '10m' } })
    await c.until('11:30:00')
    expect(c.condition('broken', 'InvalidSpec')).toMatchObject({ status: 'False' })
    expect(c.status('broken').lastOutcome).toBe('executed')
  })

  it('that changes moves what is to come, and repeats nothing', async () => {
    const c = cluster()
    c.apply('backup')
    await c.until('10:00:10')
    c.change('backup', { schedule: '0,30 * * * *' })
    await c.until('10:00:20')
    expect(c.status('backup')).toMatchObject({
      observedGeneration: 2,
      nextPeriodID: '2026-03-01T10:30:00Z',
    })
    expect(c.jobs()).toHaveLength(1)
  })
})
