import { describe, expect, it } from 'vitest'
import {
  VirtualCluster,
  type VirtualClusterOptions,
} from '../../testing/cluster/virtual-cluster.js'
import { type ApiCall, FaultyKubeApi } from '../../testing/kube-api/index.js'
import type { KronJobSpec } from '../kronjob/index.js'

const minutely: Partial<KronJobSpec> = { schedule: '* * * * *' }

/** A controller whose watches stand still from some time on, and what it asks from then on. */
async function standingStill(
  from: string,
  spec: Partial<KronJobSpec>,
  options: VirtualClusterOptions,
) {
  const asked: string[] = []
  const note = ({ verb, resource }: ApiCall): null => {
    if (verb !== 'watch') asked.push(`${verb} ${resource.plural}`)
    return null
  }
  const cluster = new VirtualCluster({
    ...options,
    through: (api, clock) => new FaultyKubeApi(api, clock, note),
  })
  cluster.startController()
  cluster.apply('backup', spec)
  await cluster.until(from)
  cluster.api.holdWatches()
  asked.length = 0
  return { cluster, asked }
}

describe('while the watches stand still', () => {
  it('a Job that was created counts as active', async () => {
    const { cluster: c } = await standingStill('09:59:50', minutely, { fateOf: () => null })
    await c.until('10:02:10')
    expect(c.periods()).toEqual(['2026-03-01T10:00:00Z'])
    const { name: job } = c.jobs()[0]!.metadata
    expect(c.logged('started')).toMatchObject([{ job }])
    expect(c.logged('started')[0]).not.toHaveProperty('existed')
    expect(c.told()).not.toContain('JobAlreadyExists')
    expect(c.status('backup')).toMatchObject({ lastOutcome: 'skipped', activeCount: 1 })
  })

  it('what was written stays known, and is no news when they go on', async () => {
    const { cluster: c, asked } = await standingStill('09:59:50', minutely, { fateOf: () => null })
    await c.until('10:03:10')
    expect(asked.filter((request) => request === 'patch kronjobs')).toHaveLength(4)
    asked.length = 0
    c.api.releaseWatches()
    await c.until('10:03:50')
    expect(asked).toEqual([])
  })

  it('a Job that was pruned is not pruned again', async () => {
    const done = { fateOf: () => ({ outcome: 'complete', afterMs: 1000 }) as const }
    const spec = { ...minutely, successfulJobsHistoryLimit: 0 }
    const { cluster: c, asked } = await standingStill('10:00:50', spec, done)
    await c.until('10:05:10')
    expect(asked.filter((request) => request === 'delete jobs')).toHaveLength(1)
    expect(c.logged('pruned')).toHaveLength(1)
  })

  it('a Job that was asked to go is reported with that time', async () => {
    const spec = { ...minutely, policy: { concurrency: 'replace', deadline: '30s' } as const }
    const slow = { fateOf: () => null, terminationMs: 600_000 }
    const { cluster: c } = await standingStill('10:00:50', spec, slow)
    await c.until('10:01:20')
    expect(c.logged('replaced')).toHaveLength(1)
    const deleting_since = '2026-03-01T10:01:00Z'
    expect(c.logged('replacement_waiting')).toMatchObject([{ deleting_since }])
  })
})
