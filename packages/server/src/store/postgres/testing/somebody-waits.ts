import type pg from 'pg'

/** Resolves when a transaction of the database waits for another one's rows. */
export async function somebodyWaits(admin: pg.Client): Promise<void> {
  const text = `SELECT count(*)::int AS waiting FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`
  let waiting = 0
  while (waiting === 0) {
    waiting = (await admin.query<{ waiting: number }>(text)).rows[0]!.waiting
  }
}
