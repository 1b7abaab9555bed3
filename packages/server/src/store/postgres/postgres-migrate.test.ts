import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { OwnDatabase } from '../../../test/own-database.js'
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
