import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { OwnDatabase } from '../../../testing/own-database.js'

const server = inject('postgresUrl')

describe.runIf(server !== null)('a database that is slow', () => {
  const database = new OwnDatabase(server, { hotTimeoutMs: 200 })
  beforeAll(database.open)
  afterAll(database.close)

  it('has longer for what it gave up, and makes a claim in the end', async () => {
    const { world, admin } = database
    await admin.query(`CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql
      AS 'BEGIN PERFORM pg_sleep(0.3); RETURN NEW; END'`)
    await admin.query(`CREATE TRIGGER slow BEFORE INSERT ON claims
      FOR EACH ROW EXECUTE FUNCTION dawdle()`)
    const { endpoint } = await world.due(await world.place())
    const givenUp = { name: 'StoreError', code: 'timeout', applied: 'no' }
    await expect(world.claim()).rejects.toMatchObject(givenUp)
    const { claimed } = await world.claim()
    expect(claimed.map(({ endpointId }) => endpointId)).toEqual([endpoint.id])
  })
})
