import Database from 'better-sqlite3'
import { StoreError } from '../store.js'

/** Errors of the database as the store reports them; what the work itself threw is passed on. */
export function storeError(error: unknown): unknown {
  if (!(error instanceof Database.SqliteError)) return error
  return sqliteFailure(error.code, error.message, error)
}

/** A commit either is in the log when it returns, or is rolled back. */
export function sqliteFailure(sqliteCode: string, message: string, cause?: unknown): StoreError {
  const isAway = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|NOMEM)/.test(sqliteCode)
  return new StoreError(isAway ? 'unavailable' : 'broken', `SQLite: ${message}`, 'no', { cause })
}
