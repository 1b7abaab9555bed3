import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { controlPlaneAbsent, sharedControlPlane } from '../../../../tools/kube/shared.ts'
import { eventually } from '../../../../tools/kube/waiting.ts'
import type { KronJob } from '../../src/kronjob/index.js'
import type { KubeObject } from '../../src/kube/index.js'
import { clusterJob, conditionOf, hasEnded, isTrue, periodOf } from './cluster-job.js'
import { fastClock, type Pace } from './fast-clock.js'
import type { OperatorProcess } from './operator-process.js'
import { Site } from './site.js'
import type { TestNamespace } from './test-namespace.js'

/** A minute of the controller takes three seconds: time for kubectl to see what happens in it. */
const fastest = 20

/** Keeps a Pod until we let it go, as a node does that is slow to end it. */
const hold = 'test.kron.io/hold'

const jobs = [
  clusterJob('tidy', { successfulJobsHistoryLimit: 2, policy: { concurrency: 'allow' } }),
  clusterJob('forgetful', { successfulJobsHistoryLimit: 0, policy: { deadline: '10s' } }),
  clusterJob('unlucky', { failedJobsHistoryLimit: 1 }, { fate: 'fail' }),
  clusterJob('patient', { policy: { concurrency: 'forbid' } }, { fate: 'run' }),
  clusterJob('many', { policy: { concurrency: 'allow' } }, { fate: 'run' }),
  clusterJob(
    'newest',
    { schedule: '*/2 * * * *', policy: { concurrency: 'replace', deadline: '100s' } },
    { fate: 'run', podMetadata: { finalizers: [hold] } },
  ),
  clusterJob('paused', {}),
]

describe.skipIf(controlPlaneAbsent())('policies of KronJobs in a cluster', () => {
  let pace: Pace
  let site: Site
  let namespace: TestNamespace
  let operator: OperatorProcess

  beforeAll(async () => {
    site = await Site.open(await sharedControlPlane())
    namespace = site.namespace
    const factor = fastest / (await site.slowness())
    await namespace.apply(...jobs)
    pace = { since: Date.now(), factor }
    operator = start()
    await operator.logged('ready')
  })

  afterAll(() => site?.close())

  /** Its seconds are short: with the usual lease a busy machine would end a term, and a start's log. */
  const start = (): OperatorProcess => site.startFast(pace, '--lease-duration', '5m')

  const activeOf = (all: readonly KubeObject[]): KubeObject[] => all.filter((job) => !hasEnded(job))

  const namesCreated = (kronJob: string): string[] =>
    operator
      .lines('started')
      .filter(({ identity }) => identity === `${namespace.name}/${kronJob}`)
      .map(({ job }) => String(job))

  it('forbid skips a period while the Job of an earlier one is active', async () => {
    const [first] = await namespace.untilJobs('has a Job', 'patient', ({ length }) => length > 0)
    const { status } = await namespace.until('has skipped', 'patient', (one) => {
      return one.status?.lastOutcome === 'skipped'
    })
    expect(status).toMatchObject({ activeCount: 1, active: [{ name: first!.metadata.name }] })
    const event = await namespace.untilEvent('patient', 'SkippedConcurrency')
    expect(event.message).toContain('still active')
    expect(await namespace.jobsOf('patient')).toHaveLength(1)
  })

  it('forbid goes on as soon as that Job has ended', async () => {
    const [first] = await namespace.jobsOf('patient')
    await site.kubelet.endPodsOf(first!.metadata.name, 'Succeeded')
    const both = await namespace.untilJobs('has another', 'patient', ({ length }) => length > 1)
    expect(both.map(hasEnded)).toEqual([true, false])
    expect(periodOf(both[1]!) > periodOf(both[0]!)).toBe(true)
  })

  it('allow lets Jobs run beside each other', async () => {
    const all = await namespace.untilJobs('has three', 'many', ({ length }) => length >= 3)
    expect(activeOf(all)).toHaveLength(all.length)
    expect(new Set(all.map(periodOf)).size).toBe(all.length)
    await namespace.until('counts them', 'many', ({ status }) => (status?.activeCount ?? 0) >= 3)
  })

  it('replace ends the active Job, and waits until it and its Pods are gone', async () => {
    const [first] = await namespace.untilJobs('has a Job', 'newest', ({ length }) => length > 0)
    const { name } = first!.metadata
    const isGoing = ({ metadata }: KubeObject): boolean => metadata.deletionTimestamp !== undefined
    const [going] = await namespace.untilJobs('is ended', 'newest', (all) => all.some(isGoing))
    expect(going!.metadata).toMatchObject({ name, finalizers: ['foregroundDeletion'] })
    // It stays for as long as its Pod does, and no other Job comes meanwhile.
    const [kept] = await eventually('the Pod to be ended', 120_000, async () => {
      const pods = JSON.parse(
        await namespace.kubectl('get', 'pods', '-l', `job-name=${name}`, '-o', 'json'),
      ) as { items: KubeObject[] }
      return pods.items.every(isGoing) ? pods.items : null
    })
    expect(await namespace.jobsOf('newest')).toHaveLength(1)
    await eventually('its start to be logged', 120_000, () => namesCreated('newest')[0] ?? null)
    expect(namesCreated('newest')).toEqual([name])
    const free = '{"metadata":{"finalizers":null}}'
    await namespace.kubectl('patch', 'pod', kept!.metadata.name, '--type=merge', '-p', free)
    const [next] = await namespace.untilJobs('has the next', 'newest', ([one]) => {
      return one !== undefined && one.metadata.name !== name
    })
    expect(periodOf(next!) > periodOf(first!)).toBe(true)
    const event = await namespace.untilEvent('newest', 'Replaced')
    expect(event.message).toContain(`deleted active Job ${name}`)
  })

  it('keeps as many finished Jobs as the history limits say', async () => {
    await eventually('five periods', 240_000, () => namesCreated('tidy').length >= 5 || null)
    await namespace.untilJobs('has been tidied up', 'tidy', (all) => {
      const ended = all.filter(hasEnded).map(({ metadata }) => metadata.name)
      return ended.length === 2 && isTail(ended, namesCreated('tidy'))
    })
    await namespace.untilJobs('keeps one failure', 'unlucky', (all) => {
      return namesCreated('unlucky').length >= 4 && all.filter(hasEnded).length === 1
    })
    const created = namesCreated('forgetful')
    expect(created.length).toBeGreaterThan(3)
    await namespace.untilJobs('keeps but the proof', 'forgetful', (all) => all.length <= 2)
    expect(await namespace.eventsOf('forgetful')).not.toContainEqual(
      expect.objectContaining({ reason: 'JobAlreadyExists' }),
    )
  })

  /** Whether these are the last of all, but for one that has come since. */
  function isTail(some: readonly string[], all: readonly string[]): boolean {
    return [0, 1].some((newer) => {
      const end = all.slice(0, all.length - newer).slice(-some.length)
      return some.every((name) => end.includes(name))
    })
  }

  it('suspends and resumes, and handles none of the periods between', async () => {
    await namespace.untilJobs('has a Job', 'paused', ({ length }) => length > 0)
    await suspend(true)
    const from = await namespace.until('is suspended', 'paused', (one) => isTrue(one, 'Suspended'))
    const before = namesCreated('paused').length
    const others = namesCreated('tidy').length
    await eventually('three periods', 240_000, () => {
      return namesCreated('tidy').length >= others + 3 || null
    })
    expect(namesCreated('paused')).toHaveLength(before)
    const suspended = await namespace.kronJob('paused')
    expect(suspended.status).not.toHaveProperty('nextChosenTime')
    await suspend(false)
    const to = await namespace.until('has resumed', 'paused', (one) => !isTrue(one, 'Suspended'))
    await eventually('two periods', 240_000, () => {
      return namesCreated('paused').length >= before + 2 || null
    })
    const [suspendedAt, resumedAt] = [from, to].map(changedAt)
    // The one in the midst of which it resumes is the current one.
    const between = periodsOf('paused').filter(
      (at) => at > suspendedAt! && at + 60_000 < resumedAt!,
    )
    expect(between).toEqual([])
  })

  /** Nominal times of all periods that have come to anything. */
  const periodsOf = (kronJob: string): number[] =>
    operator.log
      .filter(({ identity, outcome }) => identity === `${namespace.name}/${kronJob}` && outcome)
      .map(({ period_id }) => Date.parse(String(period_id)))

  const changedAt = (one: KronJob): number =>
    Date.parse(conditionOf(one, 'Suspended')!.lastTransitionTime)

  async function suspend(wanted: boolean): Promise<void> {
    const patch = JSON.stringify({ spec: { policy: { suspend: wanted } } })
    await namespace.kubectl('patch', 'kronjob', 'paused', '--type=merge', '-p', patch)
  }

  it('tells of a period that it missed because it was not there', async () => {
    expect(await operator.stop()).toBe(0)
    const { status } = await namespace.kronJob('tidy')
    const handled = Date.parse(status!.lastPeriodID!)
    // Thirty seconds into a later period, which has no deadline to be late by.
    const clock = (): number => fastClock(pace).now().getTime()
    await eventually('a period to pass', 120_000, () => {
      const now = clock()
      return now > handled + 120_000 && now % 60_000 > 20_000 && now % 60_000 < 40_000 ? true : null
    })
    operator = start()
    const event = await namespace.untilEvent('tidy', 'MissedDeadline')
    expect(event.message).toMatch(/missed: .*late, deadline 0s/)
    await namespace.until('goes on', 'tidy', (one) => one.status?.lastOutcome === 'executed')
  })

  it('was refused nothing', async () => {
    expect(site.forbidden()).toEqual([])
    expect(operator.log.filter(({ level }) => level === 'error')).toEqual([])
  })
})
