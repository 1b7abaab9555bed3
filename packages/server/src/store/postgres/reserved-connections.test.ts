import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { OwnDatabase } from '../../../testing/own-database.js'
import { sampleOutcome } from '../../../testing/sample-outcome.js'
import type { Place, World } from '../../../testing/store/world-conformance.js'

const server = inject('postgresUrl')

/** Has this many calls in their transactions at once while the work is done. */
function whileBusy<T>(world: World, place: Place, calls: number, work: () => Promise<T>) {
  const one = (left: number): Promise<T> =>
    left === 0 ? work() : world.as(place.tenant, () => one(left - 1))
  return one(calls)
}

describe.runIf(server !== null)('connections of a process with a worker', () => {
  const database = new OwnDatabase(server, { connections: 5, connectTimeoutMs: 2_000 })
  beforeAll(database.open)
  afterAll(database.close)

  it('are left for claims, settling and records when all others are in use', async () => {
    const { world } = database
    const place = await world.place()
    await world.due(place)
    await whileBusy(world, place, 3, async () => {
      await expect(world.now()).rejects.toMatchObject({ code: 'unavailable' })
      const { claimed, now } = await world.claim()
      expect(claimed).toHaveLength(1)
      const outcome = sampleOutcome(claimed[0]!, now)
      const { answers } = await world.store.record([outcome], world.planning)
      expect(answers).toEqual(['recorded'])
      await world.store.settleClaim('never made', world.planning)
    })
  })

  it('are as many as it was told, and one more that listens', async () => {
    const { world, admin } = database
    const many = Array.from({ length: 8 })
    await Promise.all(many.flatMap(() => [world.claim(), world.now(), world.store.time()]))
    const text = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
      AND application_name = 'kron'`
    expect((await admin.query(text)).rowCount).toBe(5 + 1)
  })
})

describe.runIf(server !== null)('connections of a process', () => {
  const without = { connections: 3, hasWorker: false, connectTimeoutMs: 200 }
  it.each([
    ['without a worker', without],
    ['that has but one', { connections: 1, connectTimeoutMs: 200 }],
  ])('%s are all for everyone who comes', async (_, options) => {
    const database = new OwnDatabase(server, options)
    await database.open()
    try {
      const { world } = database
      const place = await world.place()
      await whileBusy(world, place, options.connections, async () => {
        await expect(world.claim()).rejects.toMatchObject({ code: 'unavailable' })
      })
      await expect(world.claim()).resolves.toMatchObject({ claimed: [] })
    } finally {
      await database.close()
    }
  })
})
