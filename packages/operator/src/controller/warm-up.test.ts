import { createLog } from '@kron/runtime'
import type { VirtualClock } from '@kron/runtime/testing'
import { describe, expect, it } from 'vitest'
import { VirtualCluster } from '../../testing/cluster/virtual-cluster.js'
import { Controller } from './controller.js'
import { defaultOptions } from './ports.js'

/** When a controller prepares for how many requests, in ms before ten o'clock. */
async function warmUps(kronJobs: number): Promise<[beforeMs: number, requests: number][]> {
  const cluster = new VirtualCluster()
  const { clock } = cluster as { clock: VirtualClock }
  const told: [number, number][] = []
  const nothing = () => undefined
  const world = {
    api: cluster.api,
    clock,
    log: createLog({ format: 'json', level: 'error', component: 'test', clock, write: nothing }),
    observer: {
      handled: nothing,
      started: nothing,
      ended: nothing,
      failed: nothing,
      reconciled: nothing,
    },
    isLeading: () => true,
    warmUp: async (requests: number) => {
      told.push([Date.UTC(2026, 2, 1, 10) - clock.now().getTime(), requests])
    },
  }
  void new Controller(world, defaultOptions).run(new AbortController().signal)
  for (let number = 0; number < kronJobs; number++) cluster.apply(`job-${number}`)
  await cluster.until('10:00:30')
  expect(cluster.jobs()).toHaveLength(kronJobs)
  return told
}

describe('a crowd that is coming', () => {
  it('finds connections, as many as it can use', async () => {
    expect(await warmUps(100)).toEqual([[500, 32]])
    expect(await warmUps(10)).toEqual([[500, 10]])
  })

  it('is more than a few', async () => {
    expect(await warmUps(3)).toEqual([])
    expect(await warmUps(4)).toEqual([[500, 4]])
  })

  it('is started where nothing can be prepared', async () => {
    const cluster = new VirtualCluster()
    cluster.startController()
    for (let number = 0; number < 4; number++) cluster.apply(`job-${number}`)
    await cluster.until('10:00:30')
    expect(cluster.jobs()).toHaveLength(4)
  })
})
