import Database from 'better-sqlite3'
import { migrateSqlite } from '../src/store/sqlite/sqlite-migrate.js'

/** A SQLite database in memory with all tables, for who looks at rows or statements themselves. */
export function migratedDatabase(): Database.Database {
  const database = new Database(':memory:')
  migrateSqlite(database, 7)
  return database
}
