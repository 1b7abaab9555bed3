import { setTimeout } from 'node:timers/promises'
import pg from 'pg'

const autovacuums = `SELECT count(*)::int AS busy FROM pg_stat_activity
  WHERE backend_type = 'autovacuum worker'`

/**
 * Cleans up after a round in the database of who had it, so that the next contender does not pay
 * for it: what has to be vacuumed and written is done when the next round begins.
 */
export async function settle(databaseUrl: string): Promise<void> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    await client.query('VACUUM (ANALYZE)')
    await client.query('CHECKPOINT')
    const isBusy = async (): Promise<boolean> =>
      (await client.query<{ busy: number }>(autovacuums)).rows[0]!.busy > 0
    while (await isBusy()) await setTimeout(100)
  } finally {
    await client.end()
  }
}
