import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { byInterval } from '../../testing/sample-endpoint.js'
import { away, firstRunOf, minute, WorkerWorld } from '../../testing/worker/worker-world.js'
import type { Store } from '../store/index.js'
import { defaultWorkerLimits } from './worker.js'

const { gatherMs } = defaultWorkerLimits
const world = new WorkerWorld()
const { added, at, between, ms, started } = world
beforeEach(world.open)
afterEach(world.close)

/** Endpoints that are due at the same instant, each of its own tenant, whose targets take a second. */
async function ofTenants(count: number): Promise<void> {
  for (let n = 2; n < count + 2; n++) {
    const tenantId = `ten_${String(n).padStart(26, '0')}`
    await world.sample.addTenant(tenantId)
    world.takesMs.set((await world.sample.addEndpoint(byInterval(minute), tenantId)).id, 1_000)
  }
}

const sentAt = () => world.sent.map((one) => one.at - minute)

describe('a worker whose places are all taken', () => {
  it('claims nothing more, however many tenants have runs', async () => {
    await ofTenants(3)
    const worker = started({ maxInFlight: 2 })
    await at(minute + 500)
    expect([world.sent.length, worker.inFlight]).toEqual([2, 2])
  })

  it('claims the next run as soon as a place is free', async () => {
    await ofTenants(5)
    started({ maxInFlight: 4 })
    await at(minute + 1_900)
    expect(sentAt()).toEqual([0, 0, 0, 0, 1_000 + gatherMs])
  })
})

describe('a tenant that has its whole share', () => {
  it('gets its next run as soon as one of the others ends', async () => {
    for (let n = 0; n < 3; n++) world.takesMs.set((await added()).id, 1_000)
    started({ maxInFlight: 4 })
    await at(minute + 1_900)
    expect(sentAt()).toEqual([0, 0, 1_000 + gatherMs])
  })

  it('is passed over by a claim four times a second, and not more often', async () => {
    for (let n = 0; n < 30; n++) world.takesMs.set((await added()).id, 20_000)
    const { store, claimsAt } = world.claimsSeen()
    started({ store, maxInFlight: 10 })
    await at(minute + 1_000)
    claimsAt.length = 0
    await at(minute + 3_000)
    expect(claimsAt).toHaveLength(8)
  })

  it('does not slow down claims that bring as many runs of others as they may', async () => {
    for (let n = 0; n < 5; n++) world.takesMs.set((await added()).id, 20_000)
    const other = 'ten_00000000000000000000000002'
    await world.sample.addTenant(other)
    const due = minute + 2_000
    for (let n = 0; n < 3; n++) await world.sample.addEndpoint(byInterval(due), other)
    started({ maxInFlight: 10, maxAtOnce: 1 })
    await at(due + 1_000)
    expect(sentAt().slice(5)).toEqual([2_000, 2_000, 2_000])
  })

  it('has all of it again after a run came back to the same worker', async () => {
    const endpoint = await added({ onWorkerLoss: 'redeliver' })
    const backAt = 2 * minute + 2_100
    const record: Store['record'] = (outcomes, planning) =>
      ms() < backAt ? Promise.reject(away()) : world.store.record(outcomes, planning)
    const worker = started({ store: between({ record }), maxInFlight: 4 })
    await at(backAt)
    const first = firstRunOf(endpoint)
    expect(world.sent.map(({ id }) => id)).toEqual([first, first])
    world.sent = []
    for (let n = 0; n < 2; n++) world.takesMs.set((await added()).id, 5_000)
    world.takesMs.set(endpoint.id, 0)
    await at(backAt + minute + 1_000)
    expect(worker.inFlight).toBe(2)
    expect(world.sent.filter((one) => one.at === backAt + minute)).toHaveLength(2)
  })
})
