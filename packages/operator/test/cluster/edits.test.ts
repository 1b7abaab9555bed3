import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { controlPlaneAbsent, sharedControlPlane } from '../../../../tools/kube/shared.ts'
import { clusterJob, isTrue } from './cluster-job.js'
import type { OperatorProcess } from './operator-process.js'
import { Site } from './site.js'
import type { TestNamespace } from './test-namespace.js'

const minuteMs = 60_000

/** Once a day, at a time as many minutes from now. */
function dailyIn(minutes: number): string {
  const at = new Date(Date.now() + minutes * minuteMs)
  return `${at.getUTCMinutes()} ${at.getUTCHours()} * * *`
}

const late = { deadline: '24h' }
const foreign = { 'kron.io/period-id': '2099-01-01T00:00:00Z', team: 'blue' }

describe.skipIf(controlPlaneAbsent())('KronJobs that are edited in a cluster', () => {
  let site: Site
  let namespace: TestNamespace
  let operator: OperatorProcess

  beforeAll(async () => {
    site = await Site.open(await sharedControlPlane())
    namespace = site.namespace
    operator = site.start()
    await operator.logged('ready')
  })

  afterAll(() => site?.close())

  const edit = (name: string, spec: object): Promise<string> =>
    namespace.kubectl('patch', 'kronjob', name, '--type=merge', '-p', JSON.stringify({ spec }))

  const untilSeen = (name: string, generation: number) =>
    namespace.until(`generation ${generation} is seen`, name, ({ status }) => {
      return status?.observedGeneration === generation
    })

  it('start nothing for a time that had passed, and say so', async () => {
    await namespace.apply(clusterJob('moved', { schedule: dailyIn(120), policy: late }))
    const before = await untilSeen('moved', 1)
    await edit('moved', { schedule: dailyIn(-2) })
    const { status } = await untilSeen('moved', 2)
    expect(await namespace.jobsOf('moved')).toEqual([])
    expect(status!.lastPeriodID).toBeUndefined()
    expect(status!.timing).toMatch(/^[0-9a-f]{16}$/)
    expect(status!.timing).not.toBe(before.status!.timing)
    expect(status!.responsibleSince! >= before.status!.responsibleSince!).toBe(true)
    const event = await namespace.untilEvent('moved', 'NotResponsible')
    expect(event.message).toContain('policy.first is wait')
  })

  it('keep the moment of their timing when only the policy is edited', async () => {
    const before = await namespace.kronJob('moved')
    await edit('moved', { policy: { deadline: '23h', concurrency: 'allow' } })
    const { status } = await untilSeen('moved', 3)
    expect(status!.responsibleSince).toBe(before.status!.responsibleSince)
    expect(await namespace.jobsOf('moved')).toEqual([])
  })

  it('run at once if they want to be, with no marks but ours', async () => {
    const policy = { ...late, first: 'run' } as const
    const job = clusterJob('eager', { schedule: dailyIn(-2), policy })
    const { jobTemplate } = job.spec
    const metadata = { annotations: foreign, labels: { 'kron.io/period-id': 'x' } }
    await namespace.apply({
      ...job,
      spec: { ...job.spec, jobTemplate: { ...jobTemplate, metadata } },
    })
    const [created] = await namespace.untilJobs('runs', 'eager', ({ length }) => length === 1)
    const { status } = await namespace.until('has run', 'eager', (one) => {
      return one.status?.lastOutcome === 'executed'
    })
    expect(created!.metadata.annotations).toMatchObject({
      team: 'blue',
      'kron.io/period-id': status!.lastPeriodID,
    })
    expect(status!.nextPeriodID! > status!.lastPeriodID!).toBe(true)
    expect(status!.nextPeriodID! < '2099').toBe(true)
  })

  it('are red, with a warning, while a quota refuses their Jobs', async () => {
    const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'none' } }
    const hard = { 'count/jobs.batch': '0' }
    await namespace.apply({ ...quota, spec: { hard } })
    // What the quota controller would do.
    const status = JSON.stringify({ status: { hard, used: { 'count/jobs.batch': '0' } } })
    const patch = ['--subresource=status', '--type=merge', '-p', status]
    await namespace.kubectl('patch', 'resourcequota', 'none', ...patch)
    const policy = { ...late, first: 'run' } as const
    await namespace.apply(clusterJob('poor', { schedule: dailyIn(-2), policy }))
    const event = await namespace.untilEvent('poor', 'JobRefused')
    expect(event).toMatchObject({
      type: 'Warning',
      message: expect.stringContaining('exceeded quota'),
    })
    await namespace.until('is red', 'poor', (one) => isTrue(one, 'SchedulingError'))
    await namespace.kubectl('delete', 'resourcequota', 'none')
    await namespace.until('is green', 'poor', (one) => isTrue(one, 'Ready'))
    expect(await namespace.jobsOf('poor')).toHaveLength(1)
  })
})
