import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { OwnDatabase } from '../../../testing/own-database.js'

const server = inject('postgresUrl')

describe.runIf(server !== null)('keys that seal', () => {
  const database = new OwnDatabase(server)
  beforeAll(database.open)
  afterAll(database.close)

  it('are looked for after those who write one, so that two do not both find none', async () => {
    const { world, other } = database
    await other.query('BEGIN')
    await other.query(`INSERT INTO sealing_keys VALUES ('aaaaaaaa', 'k1.aaaaaaaa.x', 5)`)
    const found = world.store.system((rows) => rows.lockSealingKeys())
    await Promise.race([found, database.somebodyWaits()])
    await other.query('COMMIT')
    expect(await found).toEqual([{ id: 'aaaaaaaa', sealed: 'k1.aaaaaaaa.x' }])
  })
})
