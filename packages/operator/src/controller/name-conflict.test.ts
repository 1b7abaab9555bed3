import { describe, expect, it } from 'vitest'
import { overQuota } from '../../testing/cluster/scenarios.js'
import {
  template,
  VirtualCluster,
  type VirtualClusterOptions,
} from '../../testing/cluster/virtual-cluster.js'
import { type ApiCall, FaultyKubeApi } from '../../testing/kube-api/index.js'
import { jobName } from '../job/index.js'
import { jobs, kronJobs } from '../kube/index.js'

const period = '2026-03-01T10:00:00Z'
const name = { namespace: 'default', name: 'backup' }

interface Conflict extends VirtualClusterOptions {
  /** Whether the first request for a Job is answered that there is one. */
  readonly isConflict: boolean
  readonly isKronJobUnreadable?: boolean
}

/** A controller, and what it reads beside its lists. */
function conflicting({ isConflict, isKronJobUnreadable = false, ...options }: Conflict) {
  const reads: string[] = []
  const isStart = ({ verb, resource }: ApiCall) => verb === 'create' && resource === jobs
  let starts = 0
  const cluster = new VirtualCluster({
    ...options,
    through: (api, clock) =>
      new FaultyKubeApi(api, clock, (call) => {
        if (call.verb === 'get') reads.push(call.resource.plural)
        if (call.verb === 'get' && call.resource === kronJobs && isKronJobUnreadable) {
          return { kind: 'broken' }
        }
        return isStart(call) && ++starts === 1 && isConflict ? { kind: 'conflict' } : null
      }),
  })
  cluster.startController()
  cluster.apply('backup', { policy: { deadline: '30m' } })
  return { cluster, reads }
}

describe('a Job that was there when it was asked for, and is gone when it is looked at', () => {
  it('is not created again if another controller has it in the status', async () => {
    const { cluster: c, reads } = conflicting({ isConflict: true })
    await c.until('09:59:50')
    c.api.holdWatches()
    const status = { lastPeriodID: period, lastChosenTime: period, lastOutcome: 'executed' }
    c.api.objects.patch(kronJobs, name, { status }, { subresource: 'status' })
    await c.until('10:29:00')
    expect(c.jobs()).toEqual([])
    expect(reads).toEqual(['jobs', 'kronjobs'])
  })

  it('is created if nobody knows of it', async () => {
    const { cluster: c, reads } = conflicting({ isConflict: true })
    await c.until('10:00:10')
    expect(c.periods()).toEqual([period])
    expect(reads).toEqual(['jobs', 'kronjobs'])
  })

  it('is tried again though the KronJob can not be read', async () => {
    const { cluster: c } = conflicting({ isConflict: true, isKronJobUnreadable: true })
    await c.until('10:00:10')
    expect(c.periods()).toEqual([period])
    expect(c.observed).not.toContain('failed decide')
  })
})

describe('the KronJob is not read again', () => {
  it('for a Job that is refused', async () => {
    const { cluster: c, reads } = conflicting({ isConflict: false, refusal: overQuota })
    await c.until('10:01:00')
    expect(c.condition('backup', 'SchedulingError')).toMatchObject({ reason: 'Forbidden' })
    expect(reads).toEqual([])
  })

  it('for a name that somebody else has taken', async () => {
    const { cluster: c, reads } = conflicting({ isConflict: false })
    const taken = { namespace: 'default', name: jobName('backup', period) }
    c.api.objects.create(jobs, { metadata: taken, ...template })
    await c.until('10:00:01')
    expect(c.condition('backup', 'SchedulingError')).toMatchObject({ reason: 'NameTaken' })
    expect(new Set(reads)).toEqual(new Set(['jobs']))
  })
})

describe('a Job that exists after all', () => {
  it('is told as such, and not counted as started', async () => {
    const c = new VirtualCluster({
      fateOf: () => null,
      through: (api, clock) =>
        new FaultyKubeApi(api, clock, {
          fault: 'lost-answer',
          call: 1,
          of: ({ verb, resource }) => verb === 'create' && resource === jobs,
        }),
    })
    c.startController()
    c.apply('backup', { policy: { deadline: '1m' } })
    await c.until('09:59:50')
    c.api.holdWatches()
    await c.until('10:00:10')
    const [job] = c.jobs()
    expect(c.logged('started')).toMatchObject([{ job: job!.metadata.name, existed: true }])
    expect(c.told()).toContain('JobAlreadyExists')
    expect(c.observed).toEqual(['failed create_job', 'handled executed'])
    expect(c.status('backup')).toMatchObject({ lastOutcome: 'executed', activeCount: 1 })
  })
})
