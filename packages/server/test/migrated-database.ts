import Database from 'better-sqlite3'
import { migrations } from '../src/store/schema/migrations.js'

/** A SQLite database in memory with all tables, for who looks at rows or statements themselves. */
export function migratedDatabase(): Database.Database {
  const database = new Database(':memory:')
  const dialect = { name: 'sqlite', bytes: 'blob', roomForUpdates: '', now: 7 } as const
  for (const migration of migrations) {
    for (const statement of migration.statements(dialect)) database.exec(statement)
  }
  return database
}
