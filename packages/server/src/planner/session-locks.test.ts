import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { OwnDatabase } from '../../testing/own-database.js'
import type { Planner } from './planner.js'
import { holdSession } from './session.js'
import { SiblingDirectory } from './siblings.js'

const server = inject('postgresUrl')

describe.runIf(server !== null)('a session', () => {
  const database = new OwnDatabase(server)
  beforeAll(database.open)
  afterAll(database.close)

  it('waits for the plan before it holds the counters that everybody adds to', async () => {
    const { world } = database
    const place = await world.place()
    const { endpoint } = await world.endpoint(place, { planner: 'on' })
    const planner: Planner = {
      name: 'model',
      callsEach: 1,
      propose: async () => {
        await database.other.query('BEGIN')
        await database.other.query('SELECT 1 FROM plans WHERE endpoint_id = $1 FOR UPDATE', [
          endpoint.id,
        ])
        return { said: 'hm', actions: [], cost: { calls: 2, tokens: 9 } }
      },
    }
    const attention = { tenantId: place.tenant.id, endpointId: endpoint.id, why: 'failure' }
    const { signal } = new AbortController()
    const held = holdSession(world.store, planner, attention, new SiblingDirectory(), signal)
    await database.somebodyWaits()
    for (const table of ['usage', 'system_usage']) {
      expect(
        (await database.other.query(`SELECT 1 FROM ${table} FOR UPDATE NOWAIT`)).rowCount,
      ).toBe(1)
    }
    await database.other.query('COMMIT')
    expect(await held).toMatchObject({ kind: 'held', error: null })
    const usage = await world.as(place.tenant, (rows) => rows.tenant.usage())
    expect(usage).toMatchObject({ aiCalls: 2, aiTokens: 9 })
  })
})
