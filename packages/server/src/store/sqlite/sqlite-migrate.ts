import type Database from 'better-sqlite3'
import type { Dialect } from '../schema/migrations.js'
import {
  ledgerOf,
  ledgers,
  missingMigrations,
  planUnplanned,
} from '../schema/missing-migrations.js'

/** The words of SQLite, but for the time. */
export const sqliteWords = {
  name: 'sqlite',
  bytes: 'blob',
  roomForUpdates: '',
  jsonText: (column, path) => `json_extract(${column}, '$.${path.join('.')}')`,
  // SQLite adds no other one to a table that is there.
  generated: 'VIRTUAL',
} as const satisfies Omit<Dialect, 'now'>

/** Brings the schema up to date, inside of a transaction of the caller. */
export function migrateSqlite(database: Database.Database, now: number): void {
  for (const ledger of ledgers) database.exec(ledger)
  const versions = (table: string): number[] =>
    database.prepare(`SELECT version FROM ${table}`).pluck().all() as number[]
  const applied = { breaking: versions('migrations'), additions: versions('additions') }
  const dialect: Dialect = { ...sqliteWords, now }
  for (const migration of missingMigrations(applied)) {
    for (const statement of migration.statements(dialect)) database.exec(statement)
    const text = `INSERT INTO ${ledgerOf(migration)} (version) VALUES (?)`
    database.prepare(text).run(migration.version)
  }
  database.prepare(planUnplanned.replaceAll('$1', '?1')).run({ 1: now })
}
