import { closeSync, openSync } from 'node:fs'
import Database from 'better-sqlite3'

export const inMemory = ':memory:'

/** The connection that writes, to a file that is created if it is missing. */
export function connectWriter(path: string): Database.Database {
  if (path !== inMemory) makeForOwnerOnly(path)
  const database = new Database(path)
  database.pragma('journal_mode = WAL')
  // A commit is on the disk when it returns: what was answered is never taken back.
  database.pragma('synchronous = FULL')
  // Copied back into the file less often: under load that costs more than the commits.
  database.pragma('wal_autocheckpoint = 8000')
  // Another program that writes to the same file is waited for.
  database.pragma('busy_timeout = 5000')
  return database
}

/** SQLite would let everybody read a file that it makes; its log gets the mode of the file. */
function makeForOwnerOnly(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch {
    // It is there and stays as it is, or it can't be created: then SQLite says so.
  }
}
