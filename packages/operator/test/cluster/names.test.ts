import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { controlPlaneAbsent, sharedControlPlane } from '../../../../tools/kube/shared.ts'
import { jobName } from '../../src/job/index.js'
import type { KubeObject } from '../../src/kube/index.js'
import { clusterJob, conditionOf, isTrue, periodOf } from './cluster-job.js'
import { Site } from './site.js'
import type { TestNamespace } from './test-namespace.js'

const minuteMs = 60_000

const ownerOf = ({ metadata }: KubeObject): string | undefined => metadata.ownerReferences?.[0]?.uid

/** On the real clock: the API server's timestamps have a say in it. */
describe.skipIf(controlPlaneAbsent())('the name of a Job, the lock of its period', () => {
  let site: Site
  let namespace: TestNamespace
  /** The Jobs that the first periods of `taken` would have. */
  let foreign: string[]

  beforeAll(async () => {
    site = await Site.open(await sharedControlPlane())
    namespace = site.namespace
    const now = Math.floor(Date.now() / minuteMs) * minuteMs
    foreign = [1, 2, 3].map((minutes) => {
      const period = new Date(now + minutes * minuteMs).toISOString().replace('.000Z', 'Z')
      return jobName('taken', period)
    })
    for (const name of foreign) await namespace.kubectl('create', 'job', name, '--image=x')
    const policy = { deadline: '55s' }
    await namespace.apply(clusterJob('taken', { policy }), clusterJob('again', { policy }))
    await site.start().logged('ready')
  })

  afterAll(() => site?.close())

  const creations = (name: string) =>
    site.gateway.writes.filter(({ method, path, body, status }) => {
      if (method !== 'POST' || !path.includes('/jobs') || status !== 201) return false
      return JSON.parse(body).metadata.name === name
    })

  it('is reported when a stranger has it, and used when that is gone', async () => {
    const kronJob = await namespace.until('finds its name taken', 'taken', (one) => {
      return conditionOf(one, 'SchedulingError')?.reason === 'NameTaken'
    })
    const { message } = conditionOf(kronJob, 'SchedulingError')!
    const name = foreign.find((one) => message.includes(one))!
    expect(message).toContain('is controlled by nobody')
    expect(isTrue(kronJob, 'Ready')).toBe(false)
    expect(await namespace.untilEvent('taken', 'JobAlreadyExists')).toMatchObject({
      type: 'Warning',
      message: expect.stringContaining(name),
    })
    expect(
      JSON.parse(await namespace.kubectl('get', 'job', name, '-o', 'json')),
    ).not.toHaveProperty('metadata.ownerReferences')
    await namespace.kubectl('delete', 'job', ...foreign)
    const [job] = await namespace.untilJobs('has its Job', 'taken', ({ length }) => length > 0)
    expect(job!.metadata.name).toBe(name)
    await namespace.until('is ready again', 'taken', (one) => isTrue(one, 'Ready'))
  })

  it('is not used again by a KronJob that was deleted and applied in the same period', async () => {
    const [first] = await namespace.untilJobs('has a Job', 'again', ({ length }) => length > 0)
    await namespace.kubectl('delete', 'kronjob', 'again', '--cascade=foreground')
    expect(await namespace.jobsOf('again')).toEqual([])
    await namespace.apply(clusterJob('again', { policy: { deadline: '55s' } }))
    const { status, metadata } = await namespace.until('is planned', 'again', (one) => {
      return one.status?.nextPeriodID !== undefined
    })
    expect(ownerOf(first!)).not.toBe(metadata.uid)
    expect(Date.parse(status!.nextPeriodID!)).toBeGreaterThan(Date.parse(periodOf(first!)))
    expect(creations(first!.metadata.name)).toHaveLength(1)
  })

  it('costs no rights beyond those that we ship', () => {
    expect(site.forbidden()).toEqual([])
  })
})
