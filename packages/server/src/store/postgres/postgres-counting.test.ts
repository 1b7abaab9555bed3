import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { OwnDatabase } from '../../../testing/own-database.js'
import { unlimited } from '../../domain/index.js'

const server = inject('postgresUrl')

describe.runIf(server !== null)('runs of several tenants', () => {
  const database = new OwnDatabase(server)
  beforeAll(database.open)
  afterAll(database.close)

  it('are counted in the order of their ids, and of all together last', async () => {
    const { world, other } = database
    const places = [await world.place(), await world.place()]
    const [first, second] = places.toSorted((a, b) => (a.tenant.id < b.tenant.id ? -1 : 1))
    // Those of the second one are due before those of the first.
    for (let round = 0; round < 2; round++) {
      await world.due(second!, {}, (now) => ({ nextRunAt: now - 9000 }))
      await world.due(first!, {}, (now) => ({ nextRunAt: now - 3000 }))
      if (round === 0) expect((await world.claim()).claimed).toHaveLength(2)
    }
    await other.query('BEGIN')
    const lockUsage = 'SELECT 1 FROM usage WHERE tenant_id = $1 FOR UPDATE NOWAIT'
    await other.query(lockUsage, [first!.tenant.id])
    const claim = world.claim()
    await database.somebodyWaits()
    expect((await other.query(lockUsage, [second!.tenant.id])).rowCount).toBe(1)
    const all = await other.query('SELECT 1 FROM system_usage FOR UPDATE NOWAIT')
    expect(all.rowCount).toBe(1)
    await other.query('COMMIT')
    expect((await claim).claimed).toHaveLength(2)
    await world.leave()
  })

  it('are counted against the quota of their month alone', async () => {
    const { world, admin } = database
    const place = await world.place({ quotas: { ...unlimited, runsPerMonth: 5 } })
    const before = `INSERT INTO usage (tenant_id, month, shard, runs, ai_calls, ai_tokens)
      VALUES ($1, '2020-01', 0, 1000, 0, 0)`
    await admin.query(before, [place.tenant.id])
    const { endpoint } = await world.due(place)
    expect(await world.claimOne()).toMatchObject({ endpointId: endpoint.id })
    await world.leave()
  })
})
