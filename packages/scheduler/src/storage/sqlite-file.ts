import { closeSync, openSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Database } from 'better-sqlite3'
import { StorageUnusableError } from '../errors/index.js'
import { isBusy } from './busy.js'
import { loadSqlite } from './sqlite-library.js'
import { createTables, hasTables } from './sqlite-tables.js'

/** "Kron" in ASCII: how our SQLite files differ from those of others. */
const applicationId = 0x4b726f6e
const schemaVersion = 1

/** The absolute path: a later change of the working folder must not lead to another file. */
export function sqlitePath(path: string): string {
  if (typeof path !== 'string') {
    throw new StorageUnusableError(`sqliteStorage takes the path of a file, got ${typeof path}`)
  }
  if (path.trim() === '' || path.trim() === ':memory:') {
    throw new StorageUnusableError(
      `sqliteStorage takes the path of a file, got '${path}'; to keep nothing use memoryStorage()`,
    )
  }
  // SQLite would take the one for an address and better-sqlite3 would cut the other.
  if (path.startsWith('file:') || path.trimEnd() !== path) {
    throw new StorageUnusableError(
      `sqliteStorage takes a path without 'file:' and without space at its end, got '${path}'`,
    )
  }
  return resolve(path)
}

/**
 * Opens the file, after making it if there is none, and with it the tables of the schedule. Throws
 * SQLite's own error while another process is in the way: it never waits.
 */
export function openSqliteFile(file: string, schedule: string): Database {
  const sqlite = loadSqlite()
  try {
    createPrivately(file)
    const database = new sqlite(file, { fileMustExist: true, timeout: 0 })
    try {
      makeOurs(database, schedule)
    } catch (error) {
      database.close()
      throw error
    }
    return database
  } catch (error) {
    throw isBusy(error) ? error : unusable(file, error)
  }
}

export function unusable(file: string, error: unknown): StorageUnusableError {
  const reason = `Can not keep tasks in ${file}: ${reasonOf(error)}`
  return new StorageUnusableError(reason, { file, cause: error })
}

/**
 * What tasks are called may be nobody else's business. An existing file must not be opened here:
 * closing it would drop the locks that another connection of this process holds on it.
 */
function createPrivately(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    if (!statSync(file).isFile()) throw new Error('it is not a regular file')
  }
}

function makeOurs(database: Database, schedule: string): void {
  // Before anything is written: a file of somebody else must stay as it is. In a transaction, or
  // one that another process is just making would be seen in part.
  database.exec('BEGIN')
  isNew(database)
  database.exec('COMMIT')
  // Readers and the writer don't wait for each other, and a commit is one sync. Where the log is
  // impossible (some network disks) SQLite stays with its journal, which is as safe.
  database.pragma('journal_mode = WAL')
  // A commit is on disk when it returns. In a write-ahead log that is not the default.
  database.pragma('synchronous = FULL')
  database.exec('BEGIN IMMEDIATE')
  const mustBeMade = isNew(database) || !hasTables(database, schedule)
  if (mustBeMade) {
    createTables(database, schedule)
    database.pragma(`application_id = ${applicationId}`)
  }
  // Written even if it is the same: a file that can only be read fails here, not at the first run.
  database.pragma(`user_version = ${schemaVersion}`)
  database.exec(mustBeMade ? 'COMMIT' : 'ROLLBACK')
}

function isNew(database: Database): boolean {
  const number = (sql: string): number => database.prepare(sql).pluck().get() as number
  const application = number('PRAGMA application_id')
  const version = number('PRAGMA user_version')
  const objects = number('SELECT count(*) FROM sqlite_schema')
  if (application === 0 && version === 0 && objects === 0) return true
  if (application !== applicationId) throw new Error('it is a database of another application')
  if (version !== schemaVersion) {
    throw new Error(`it has version ${version}, and this version of Kron reads ${schemaVersion}`)
  }
  return false
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return `its folder does not exist (${error.message})`
  return code?.startsWith('SQLITE_') ? `${error.message} (${code})` : error.message
}
