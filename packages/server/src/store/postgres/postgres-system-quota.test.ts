import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { OwnDatabase } from '../../../testing/own-database.js'
import { World } from '../../../testing/store/world-conformance.js'
import { noSystemQuotas, type SystemQuotas } from '../../domain/index.js'
import { openPostgresStore } from './postgres-store.js'

const server = inject('postgresUrl')
const turn = 'SELECT pg_advisory_xact_lock(7077002)'

describe.runIf(server !== null)('the turn to count against a quota of the whole system', () => {
  const database = new OwnDatabase(server)
  beforeAll(database.open)
  afterAll(database.close)

  async function limited(quotas: Partial<SystemQuotas>, name = 'limited'): Promise<World> {
    const url = new URL(database.url)
    url.searchParams.set('application_name', name)
    const systemQuotas = { ...noSystemQuotas, ...quotas }
    const store = openPostgresStore({ url: url.href, systemQuotas })
    await store.migrate()
    return new World(store)
  }

  it('is waited for by claims before they hold what others need', async () => {
    const world = await limited({ runsPerMonth: 1000 })
    const place = await world.place()
    await world.due(place)
    const first = await world.claimOne()
    await world.recordOne(first)
    const { endpoint } = await world.due(place)
    await database.other.query('BEGIN')
    await database.other.query(turn)
    const claim = world.claim()
    await database.somebodyWaits()
    for (const table of ['usage', 'system_usage', 'runs', 'tenants']) {
      const text = `SELECT 1 FROM ${table} FOR UPDATE NOWAIT`
      expect((await database.other.query(text)).rowCount, table).toBeGreaterThan(0)
    }
    await database.other.query('COMMIT')
    expect((await claim).claimed).toMatchObject([{ endpointId: endpoint.id }])
    await world.leave()
    await world.store.close()
  })

  it('is waited for by nobody where there is no such quota, or nothing to start', async () => {
    const { world } = database
    const idle = await limited({ runsPerMonth: 1000 })
    await database.other.query('BEGIN')
    await database.other.query(turn)
    expect((await idle.claim()).claimed).toEqual([])
    const made = await world.due(await world.place())
    expect(await world.claimOne()).toMatchObject({ endpointId: made.endpoint.id })
    await database.other.query('COMMIT')
    await world.leave()
    await idle.store.close()
  })

  it('never makes claims and planners wait for each other in a circle', async () => {
    const quotas = { runsPerMonth: 10_000, aiCallsPerMonth: 1000 }
    const worlds = [await limited(quotas, 'circles'), await limited(quotas, 'circles')]
    const [world] = worlds as [World, World]
    const place = await world.place()
    const ids: string[] = []
    for (let n = 0; n < 24; n++) ids.push((await world.due(place)).endpoint.id)
    const reserve = (id: string, n: number) =>
      worlds[n % 2]!.as(place.tenant, async (rows) => {
        await rows.endpoints.get(id)
        await rows.system.lockUsage()
        await rows.tenant.count({ aiCalls: 1 })
      })
    const claimed: string[] = []
    for (let round = 0; claimed.length < ids.length && round < 50; round++) {
      const claims = [0, 1, 0, 1].map(async (n) => {
        const claim = await worlds[n]!.claim({ limit: 4 }, worlds[n]!.newPlanning())
        claimed.push(...claim.claimed.map(({ endpointId }) => endpointId))
      })
      await Promise.all([...claims, ...ids.slice(0, 8).map(reserve)])
    }
    expect(new Set(claimed).size).toBe(24)
    await world.leave()
    for (const each of worlds) await each.store.close()
    expect(await database.deadlocksOf('circles')).toBe(0)
  })
})
