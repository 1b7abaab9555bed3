import { StoreError } from '../store.js'
import { type Migration, migrations } from './migrations.js'

/** Versions that a database has: of migrations that break, and of those that only add. */
export interface AppliedMigrations {
  readonly breaking: readonly number[]
  readonly additions: readonly number[]
}

/**
 * Where what has been done is written down. Programs of 0.1 look at `migrations` alone, and refuse a
 * database with a version there that they don't know: what only adds is written elsewhere, so that
 * they can start beside a newer program.
 */
export const ledgers = [
  'CREATE TABLE IF NOT EXISTS migrations (version bigint PRIMARY KEY)',
  'CREATE TABLE IF NOT EXISTS additions (version bigint PRIMARY KEY)',
] as const

export const ledgerOf = ({ breaks }: Migration): 'migrations' | 'additions' =>
  breaks === true ? 'migrations' : 'additions'

/** What is left to do, in order. Throws when the database is for newer programs only. */
export function missingMigrations({
  breaking,
  additions,
}: AppliedMigrations): readonly Migration[] {
  const latest = migrations.at(-1)!.version
  const version = Math.max(0, ...breaking)
  if (version > latest) {
    throw new StoreError(
      'incompatible',
      `the database has schema ${version}, this program knows ${latest}: use a newer version of Kron`,
      'no',
    )
  }
  const done = new Set([...breaking, ...additions])
  return migrations.filter((migration) => !done.has(migration.version))
}

/**
 * Endpoints that run by themselves and have no plan are planned again at each start, like at the end
 * of a pause: a version that could not find the next run of some schedules left them so for ever.
 * Those that have really come to their end are found to be finished again, and stay so.
 *
 * Dying before a worker gets to them leaves them waiting for it.
 */
export const planUnplanned = `UPDATE plans
  SET next_run_at = $1, wake_at = $1, wake_kind = 'waiting', source = 'paused'
  WHERE wake_at IS NULL AND next_run_at IS NULL AND held_for IS NULL AND suspended = 0`
