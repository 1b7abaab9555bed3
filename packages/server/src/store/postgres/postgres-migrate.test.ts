import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { OwnDatabase } from '../../../testing/own-database.js'
import { Connections } from './connections.js'
import { migratePostgres } from './postgres-migrate.js'
import { openPostgresStore } from './postgres-store.js'

const server = inject('postgresUrl')
const statementTimeoutMs = 100

describe.runIf(server !== null)('a process that starts while another one migrates', () => {
  const database = new OwnDatabase(server)
  beforeAll(database.open)
  afterAll(database.close)

  /** How long somebody has waited for a lock by now, if anybody does. */
  async function waitedMs(): Promise<number> {
    const text = `SELECT coalesce(max(extract(epoch FROM clock_timestamp() - query_start)), 0)
      * 1000 AS ms FROM pg_stat_activity WHERE datname = current_database()
      AND wait_event_type = 'Lock'`
    return Number((await database.admin.query<{ ms: string }>(text)).rows[0]!.ms)
  }

  it('waits for it, however long a statement may take otherwise', async () => {
    const { admin, url } = database
    // The number by which processes that migrate exclude each other.
    await admin.query('SELECT pg_advisory_lock(7077001)')
    const store = openPostgresStore({ url, statementTimeoutMs, silenceMs: 50 })
    try {
      let hasFailed = false
      const migrated = store.migrate().catch((error) => {
        hasFailed = true
        throw error
      })
      while (!hasFailed && (await waitedMs()) < 5 * statementTimeoutMs);
      await admin.query('SELECT pg_advisory_unlock(7077001)')
      await expect(migrated).resolves.toBeUndefined()
    } finally {
      await store.close()
    }
  })
})

describe.runIf(server !== null)('a connection that has migrated', () => {
  const database = new OwnDatabase(server)
  beforeAll(database.open)
  afterAll(database.close)

  it('is given back with the limits of all others', async () => {
    const limits = { connectTimeoutMs: 10_000, statementTimeoutMs: 9_000, silenceMs: 4_000 }
    const connections = new Connections({ url: database.url, connections: 1, ...limits })
    await migratePostgres(connections)
    const names = ['statement', 'lock', 'idle_in_transaction_session']
    const settings = names.map((name) => `current_setting('${name}_timeout') AS ${name}`)
    const left = await connections.query(`SELECT ${settings.join(', ')}`)
    await connections.close()
    expect(left).toEqual([{ statement: '9s', lock: '9s', idle_in_transaction_session: '5s' }])
  })
})
