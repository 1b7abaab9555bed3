import { VirtualClock } from '@kron/runtime/testing'
import { describe, expect, it } from 'vitest'
import { jobs } from '../../src/kube/kube-object.js'
import { JobWorld, type JobWorldOptions, pods } from './job-world.js'
import { MemoryKubeApi } from './memory-kube-api.js'

const namespace = 'default'
const a = { namespace, name: 'a' }

function setup(options: Partial<JobWorldOptions> = {}) {
  const clock = new VirtualClock(new Date('2025-03-01T08:00:00Z'))
  const api = new MemoryKubeApi({ clock, garbageDelayMs: 10 })
  const world = new JobWorld({ api, clock, ...options })
  const status = () => api.objects.find(jobs, a)?.['status']
  return { clock, api, world, status, create: () => api.create(jobs, { metadata: a }) }
}

describe('the world of Jobs', () => {
  it('starts a Job, and completes it when its time is over', async () => {
    const { clock, world, status, create } = setup({
      startMs: 2000,
      fateOf: () => ({ outcome: 'complete', afterMs: 60_000 }),
    })
    await create()
    await clock.advanceBy(2000)
    expect(status()).toEqual({ active: 1, startTime: '2025-03-01T08:00:02Z' })
    expect(world.running).toHaveLength(1)
    await clock.advanceBy(60_000)
    const at = '2025-03-01T08:01:02Z'
    expect(status()).toEqual({
      startTime: '2025-03-01T08:00:02Z',
      succeeded: 1,
      completionTime: at,
      conditions: [{ type: 'Complete', status: 'True', lastProbeTime: at, lastTransitionTime: at }],
    })
    expect(world.runs).toMatchObject([{ job: a, outcome: 'complete', endedAt: new Date(at) }])
  })

  it('lets a Job fail when a test says so', async () => {
    const { clock, world, status, create } = setup()
    await create()
    expect(world.fail(a)).toBe(false)
    await clock.advanceBy(1000)
    expect(world.fail(a)).toBe(true)
    expect(status()).toMatchObject({ failed: 1, conditions: [{ type: 'Failed', status: 'True' }] })
    expect(status()).not.toHaveProperty('active')
    expect(world.complete(a)).toBe(false)
  })

  it('starts nothing that was deleted before', async () => {
    const { clock, world, api, create } = setup()
    await create()
    await api.delete(jobs, a, { propagation: 'Background' })
    await clock.advanceBy(1000)
    expect(world.runs).toEqual([])
  })

  it('stops a Job that is deleted', async () => {
    const { clock, world, api, create } = setup({
      fateOf: () => ({ outcome: 'complete', afterMs: 60_000 }),
    })
    await create()
    await clock.advanceBy(1000)
    await api.delete(jobs, a, { propagation: 'Background' })
    expect(world.running).toEqual([])
    await clock.runUntilIdle()
    expect(world.runs).toMatchObject([{ outcome: 'stopped' }])
  })

  it('takes its time to end what is deleted in the foreground', async () => {
    const { clock, world, api, create } = setup({ terminationMs: 30_000 })
    await create()
    await clock.advanceBy(1000)
    await api.delete(jobs, a, { propagation: 'Foreground' })
    await clock.advanceBy(30_000)
    expect(api.objects.find(jobs, a)).toBeDefined()
    expect(world.running).toHaveLength(1)
    await clock.advanceBy(100)
    expect([...api.objects.all(jobs), ...api.objects.all(pods), ...world.running]).toEqual([])
  })

  it('lets a Pod outlive a Job that is deleted in the background', async () => {
    const { clock, world, api, create } = setup({ terminationMs: 30_000 })
    await create()
    await clock.advanceBy(1000)
    await api.delete(jobs, a, { propagation: 'Background' })
    await clock.advanceBy(20_000)
    expect(api.objects.all(jobs)).toEqual([])
    expect(world.running).toHaveLength(1)
    await clock.advanceBy(20_000)
    expect([...api.objects.all(pods), ...world.running]).toEqual([])
  })

  it('deletes at once what is over', async () => {
    const { clock, world, api, create } = setup({ terminationMs: 30_000 })
    await create()
    await clock.advanceBy(1000)
    world.complete(a)
    await api.delete(jobs, a, { propagation: 'Foreground' })
    await clock.advanceBy(100)
    expect([...api.objects.all(jobs), ...api.objects.all(pods)]).toEqual([])
  })
})
