import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { World } from '../../testing/store/world-conformance.js'
import { noSystemQuotas } from '../domain/index.js'
import { openSqliteStore } from '../store/sqlite/sqlite-store.js'
import { endPastHolds } from './open-store.js'

const now = Date.UTC(2026, 2, 15)
const reset = Date.UTC(2026, 3, 1)
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kron-holds-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function startedWith(runsPerMonth: number | null): Promise<World> {
  const systemQuotas = { ...noSystemQuotas, runsPerMonth }
  const store = openSqliteStore({ path: join(folder, 'kron.db'), now: () => now, systemQuotas })
  await store.migrate()
  await endPastHolds(store)
  return new World(store)
}

describe('a worker that starts', () => {
  it.each([
    ['leaves endpoints waiting for a quota that is used up', 1, reset],
    ['has them planned again with a higher quota', 2, now],
    ['has them planned again without one', null, now],
  ] as const)('%s', async (_, runsPerMonth, nextRunAt) => {
    const before = await startedWith(1)
    const place = await before.place()
    const made = [await before.due(place), await before.due(place)]
    expect((await before.claim()).claimed).toHaveLength(1)
    const plans = await Promise.all(made.map((each) => before.plan(each)))
    const waiting = made[plans.findIndex((plan) => plan.source === 'system-quota')]!
    await before.store.close()

    const world = await startedWith(runsPerMonth)
    expect(await world.plan(waiting)).toMatchObject({ source: 'system-quota', nextRunAt })
    await world.claim()
    const { claimed } = await world.claim()
    expect(claimed.map((run) => run.endpointId)).toEqual(
      nextRunAt === now ? [waiting.endpoint.id] : [],
    )
    await world.store.close()
  })
})
