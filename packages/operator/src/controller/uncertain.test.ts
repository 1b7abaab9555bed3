import { describe, expect, it } from 'vitest'
import { jobs } from '../kube/index.js'
import { type ApiCall, type Fault, FaultyKubeApi } from '../kube/memory/index.js'
import { VirtualCluster } from './testing/virtual-cluster.js'

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
