import type { Database } from 'better-sqlite3'
import { SupersededError } from '../errors/index.js'
import type { TaskRecord } from '../task/index.js'
import { decision } from './decision.js'
import { sharedUse } from './shared-use.js'
import { openSqliteFile, sqlitePath } from './sqlite-file.js'
import { type SqliteTables, sqliteTables } from './sqlite-tables.js'
import type { ScheduleChange, Storage, StoredSchedule } from './storage.js'

/**
 * Keeps everything in a SQLite file, which is made when it is opened first. What a call wrote is on
 * the disk when the call resolves. Every call does its work before it returns: nothing comes
 * between the calls, and none waits for more than its promise.
 *
 * The file is used through its folder as well (`-wal` and `-shm` beside it), so both must be
 * writable, and all of them belong into a copy of it.
 */
export function sqliteStorage(path: string): Storage {
  const file = sqlitePath(path)
  let connection: Connection | null = null
  const use = sharedUse(
    () => {
      connection = connect(file)
    },
    () => {
      const leaving = connection
      connection = null
      leaving?.database.close()
    },
  )

  function transaction(work: (tables: SqliteTables) => void): void {
    connection ??= connect(file)
    const { database, tables, begin, commit, rollBack } = connection
    begin()
    try {
      work(tables)
      commit()
    } catch (error) {
      try {
        // After some errors SQLite has done that itself.
        if (database.inTransaction) rollBack()
      } catch {
        // Without a connection nothing is left of the transaction; the next call makes another one.
        connection = null
        database.close()
      }
      throw error
    }
  }

  return {
    async open() {
      use.open()
    },
    async change(decide) {
      use.call(() => transaction((tables) => change(tables, decide)))
    },
    async save(instanceId, records, watched) {
      use.call(() => transaction((tables) => save(tables, instanceId, records, watched)))
    },
    async close() {
      use.close()
    },
  }
}

interface Connection {
  readonly database: Database
  readonly tables: SqliteTables
  readonly begin: () => void
  readonly commit: () => void
  readonly rollBack: () => void
}

function connect(file: string): Connection {
  const database = openSqliteFile(file)
  const prepared = (sql: string): (() => void) => {
    const statement = database.prepare(sql)
    return () => void statement.run()
  }
  return {
    database,
    tables: sqliteTables(database),
    begin: prepared('BEGIN IMMEDIATE'),
    commit: prepared('COMMIT'),
    rollBack: prepared('ROLLBACK'),
  }
}

function change(tables: SqliteTables, decide: (stored: StoredSchedule) => ScheduleChange): void {
  const decided = decision(decide, tables.schedule(), tables.taskChunks())
  tables.remove(decided.removed)
  tables.replace(decided.replaced)
  tables.add(decided.added)
  tables.setSchedule(decided)
}

function save(
  tables: SqliteTables,
  instanceId: string,
  records: readonly TaskRecord[],
  watched: string,
): void {
  const current = tables.schedule().instanceId
  if (current !== instanceId) throw new SupersededError(instanceId, current)
  tables.setStates(records)
  tables.setWatched(watched)
}
