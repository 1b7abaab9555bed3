import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { byInterval } from '../../testing/sample-endpoint.js'
import {
  away,
  firstRunOf,
  lost,
  minute,
  never,
  WorkerWorld,
} from '../../testing/worker/worker-world.js'
import { defaultWorkerLimits } from './worker.js'

const world = new WorkerWorld()
const { added, at, between, runsOf, started, stopped } = world
beforeEach(world.open)
afterEach(world.close)

describe('a worker that stops', () => {
  it('gives back what is not sent, and another one sends it in time', async () => {
    const endpoint = await added()
    const worker = started()
    await at(minute - 200)
    expect(worker.inFlight).toBe(1)
    expect(await stopped(worker, 10_000)).toBeLessThan(minute)
    expect(await runsOf(endpoint)).toEqual([])
    started()
    await at(minute + 1_000)
    expect(world.sent).toMatchObject([{ id: firstRunOf(endpoint), at: minute }])
    expect(await runsOf(endpoint)).toMatchObject([{ status: 'success' }])
  })

  it('gives back what a claim that was under way has brought', async () => {
    const endpoint = await added()
    const store = between({
      claim: async (request, planning) => {
        const claim = await world.store.claim(request, planning)
        if (claim.claimed.length > 0) await world.clock.sleep(100)
        return claim
      },
    })
    const worker = started({ store })
    await at(minute - 250)
    expect([(await runsOf(endpoint)).length, worker.inFlight]).toEqual([1, 0])
    expect(await stopped(worker, 10_000)).toBeLessThan(minute)
    expect([await runsOf(endpoint), worker.inFlight]).toEqual([[], 0])
  })

  it('asks what became of a claim, and gives back what it has brought', async () => {
    const endpoint = await added()
    const store = between({
      claim: async (request, planning) => {
        const claim = await world.store.claim(request, planning)
        if (claim.claimed.length === 0) return claim
        await world.clock.sleep(100)
        throw lost()
      },
    })
    const worker = started({ store })
    await at(minute - 250)
    expect(await runsOf(endpoint)).toHaveLength(1)
    expect(await stopped(worker, 10_000)).toBeLessThan(minute)
    expect(await runsOf(endpoint)).toEqual([])
  })

  it('ends though nobody can tell what became of a claim, and leaves it to the lease', async () => {
    const endpoint = await added()
    const store = between({
      claim: async (request, planning) => {
        const { claimed } = await world.store.claim(request, planning)
        throw claimed.length > 0 ? lost() : away()
      },
      settleClaim: () => Promise.reject(away()),
    })
    const worker = started({ store })
    await at(minute + 1_000)
    expect(await runsOf(endpoint)).toMatchObject([{ status: 'running' }])
    expect(await stopped(worker, 10_000)).toBeLessThan(minute + 5_000)
    expect([await runsOf(endpoint), world.sent]).toMatchObject([[{ status: 'running' }], []])
  })

  it('waits for what is sent, and claims nothing more', async () => {
    const endpoint = await added()
    await added(byInterval(minute + 2_000))
    world.takesMs.set(endpoint.id, 5_000)
    const worker = started()
    await at(minute + 1_000)
    expect(await stopped(worker, 30_000)).toBe(minute + 5_000 + defaultWorkerLimits.gatherMs)
    expect(await runsOf(endpoint)).toMatchObject([{ status: 'success' }])
    expect(world.sent).toHaveLength(1)
    expect(world.clock.pending).toBe(0)
  })

  it('cancels what has not ended after its grace', async () => {
    const endpoint = await added()
    world.takesMs.set(endpoint.id, never)
    const worker = started()
    await at(minute + 1_000)
    expect(await stopped(worker, 3_000)).toBe(minute + 4_000 + defaultWorkerLimits.gatherMs)
    expect(world.sent).toMatchObject([{ endedAt: minute + 4_000 }])
    expect(await runsOf(endpoint)).toMatchObject([{ status: 'cancelled', reason: 'shutdown' }])
  })

  it('gives up after a while when the store is away, and leaves the rest to the lease', async () => {
    const endpoint = await added()
    const store = between({ record: () => Promise.reject(away()) })
    const worker = started({ store })
    await at(minute + 1_000)
    const stoppedAt = await stopped(worker, 30_000)
    expect(stoppedAt).toBeGreaterThanOrEqual(minute + 16_000)
    expect(stoppedAt).toBeLessThanOrEqual(minute + 18_000)
    expect(await runsOf(endpoint)).toMatchObject([{ status: 'running' }])
    started()
    await at(2 * minute + 3_000)
    expect((await runsOf(endpoint))[0]).toMatchObject({ reason: 'worker_lost' })
    expect(world.sent.filter(({ id }) => id === firstRunOf(endpoint))).toHaveLength(1)
  })
})
