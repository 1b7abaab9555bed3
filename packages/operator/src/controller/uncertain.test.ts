import { describe, expect, it } from 'vitest'
import { VirtualCluster } from '../../testing/cluster/virtual-cluster.js'
import {
  type ApiCall,
  type Fault,
  type FaultPlan,
  FaultyKubeApi,
} from '../../testing/kube-api/index.js'
import { jobs } from '../kube/index.js'

const isLook = ({ verb, resource }: ApiCall): boolean => verb === 'get' && resource === jobs

const isStart = ({ verb, resource }: ApiCall): boolean => verb === 'create' && resource === jobs

/** A cluster in which nobody answers the first request for a Job. */
function unansweredCluster(fault: Fault): VirtualCluster {
  const cluster = new VirtualCluster({
    fateOf: () => ({ outcome: 'complete', afterMs: 1000 }),
    through: (api, clock) => new FaultyKubeApi(api, clock, { fault, call: 1, of: isStart }),
  })
  cluster.startController()
  return cluster
}

const minutely = { schedule: '* * * * *', successfulJobsHistoryLimit: 10 }

describe('a Job that was asked for without an answer', () => {
  it('is not asked for after the deadline, and the period is not called missed before it must be', async () => {
    const c = unansweredCluster({ kind: 'timed-out', timeoutMs: 10_000 })
    c.apply('backup', { ...minutely, schedule: '0 * * * *' })
    await c.until('10:01:00')
    expect(c.status('backup').lastPeriodID).toBeUndefined()
    await c.until('10:01:20')
    expect(c.status('backup')).toMatchObject({ lastOutcome: 'missed' })
    expect(c.jobs()).toEqual([])
  })

  it('executes its period when it appears late', async () => {
    const c = unansweredCluster({ kind: 'late', timeoutMs: 10_000, effectAfterMs: 40_000 })
    c.apply('backup', { ...minutely, schedule: '0 * * * *' })
    await c.until('10:00:50')
    expect(c.status('backup')).toMatchObject({ lastOutcome: 'executed' })
    expect(c.told()).not.toContain('MissedDeadline')
    expect(c.world.runs).toHaveLength(1)
  })

  it('does not make the next period late', async () => {
    const c = unansweredCluster({ kind: 'timed-out', timeoutMs: 10_000 })
    c.apply('backup', minutely)
    await c.until('10:01:01')
    expect(c.periods()).toEqual(['2026-03-01T10:01:00Z'])
    expect(c.told()).toContain('MissedDeadline')
  })

  it('is looked for also when later tries were refused', async () => {
    const c = new VirtualCluster({
      fateOf: () => ({ outcome: 'complete', afterMs: 1000 }),
      through: (api, clock) =>
        new FaultyKubeApi(api, clock, [
          {
            fault: { kind: 'late', timeoutMs: 1000, effectAfterMs: 40_000 },
            call: 1,
            of: isStart,
          },
          { fault: 'broken', call: 2, of: isStart, forever: true },
        ]),
    })
    c.startController()
    c.apply('backup', { ...minutely, schedule: '0 * * * *', policy: { deadline: '20s' } })
    await c.until('10:00:35')
    expect(c.status('backup').lastOutcome).toBeUndefined()
    await c.until('10:00:50')
    expect(c.status('backup')).toMatchObject({ lastOutcome: 'executed' })
    expect(c.told()).not.toContain('MissedDeadline')
  })
})

describe('a Job that appears late, while the watches stand still', () => {
  /** Nothing is told from shortly before the period on, and nobody answers within 10 s. */
  async function lookedFor(effectAfterMs: number, ...more: FaultPlan[]): Promise<VirtualCluster> {
    const late: Fault = { kind: 'late', timeoutMs: 10_000, effectAfterMs }
    const cluster = new VirtualCluster({
      fateOf: () => null,
      through: (api, clock) =>
        new FaultyKubeApi(api, clock, [{ fault: late, call: 1, of: isStart }, ...more]),
    })
    cluster.startController()
    cluster.apply('backup')
    await cluster.until('09:59:50')
    cluster.api.holdWatches()
    await cluster.until('10:00:39')
    expect(cluster.status('backup').lastOutcome).toBeUndefined()
    return cluster
  }

  it('is found, and executes its period', async () => {
    const c = await lookedFor(40_000)
    await c.until('10:00:42')
    expect(c.status('backup')).toMatchObject({ lastOutcome: 'executed', activeCount: 1 })
    expect(c.observed).toEqual(['failed create_job', 'handled executed'])
    const [job] = c.jobs()
    expect(c.logged('started')).toMatchObject([{ job: job!.metadata.name, existed: true }])
    await c.until('10:10:00')
    expect(c.observed).toHaveLength(2)
    expect(c.jobs()).toHaveLength(1)
  })

  it('is found by the last look too', async () => {
    const c = await lookedFor(74_500)
    await c.until('10:01:14')
    expect(c.status('backup').lastOutcome).toBeUndefined()
    await c.until('10:01:20')
    expect(c.status('backup')).toMatchObject({ lastOutcome: 'executed' })
    expect(c.observed).toEqual(['failed create_job', 'handled executed'])
  })

  it('is given up in time though nobody answers the looks for it either', async () => {
    const broken = { fault: 'broken', call: 1, of: isLook, forever: true } as const
    const c = await lookedFor(40_000, broken)
    await c.until('10:01:05')
    expect(c.status('backup').lastOutcome).toBeUndefined()
    await c.until('10:01:20')
    expect(c.status('backup')).toMatchObject({ lastOutcome: 'missed' })
    expect(c.observed).toEqual(['failed create_job', 'handled missed'])
  })

  it('is not looked for after the term, nor called missed', async () => {
    let isLeading = true
    const c = new VirtualCluster({
      through: (api, clock) =>
        new FaultyKubeApi(api, clock, { fault: { kind: 'timed-out' }, call: 1, of: isStart }),
    })
    c.startController({ isLeading: () => isLeading })
    c.apply('backup', { schedule: '0,1 * * * *' })
    await c.until('10:00:30')
    isLeading = false
    await c.until('10:05:00')
    expect(c.logged('missed_deadline')).toEqual([])
    expect(c.observed).toEqual(['failed create_job'])
  })
})

describe('a period whose outcome is certain', () => {
  it('is settled without a look for its Job', async () => {
    const looks: ApiCall[] = []
    const c = new VirtualCluster({
      fateOf: () => null,
      through: (api, clock) =>
        new FaultyKubeApi(api, clock, (call) => {
          if (isLook(call)) looks.push(call)
          return null
        }),
    })
    c.startController()
    c.apply('backup', minutely)
    await c.until('10:01:10')
    expect(c.status('backup')).toMatchObject({ lastOutcome: 'skipped' })
    expect(looks).toEqual([])
  })
})
