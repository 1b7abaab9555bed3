import type { Database } from 'better-sqlite3'
import { SupersededError } from '../errors/index.js'
import type { TaskRecord } from '../task/task-record.js'
import { isBusy, whenFree } from './busy.js'
import { decision, sharedUse } from './call-rules.js'
import { FileIdentity } from './file-identity.js'
import { Ownership } from './ownership.js'
import { checkScheduleName, defaultSchedule } from './schedule-name.js'
import { openSqliteFile, sqlitePath, unusable } from './sqlite-file.js'
import { type SqliteTables, sqliteTables } from './sqlite-tables.js'
import type { ScheduleChange, Storage, StoredSchedule } from './storage.js'

export interface SqliteOptions {
  /** Several schedules can be in one file, each with its own tasks and owner; default `default`. */
  readonly schedule?: string
}

/**
 * Keeps everything in a SQLite file, which is created when it is opened first. What a call wrote is
 * on the disk when the call resolves. Every call does its work before it returns, unless another
 * process is in the way; then it is tried again a little later, and nothing else has to wait.
 *
 * The file is used through its folder as well (`-wal`, `-shm` and `-owner` beside it), so both must
 * be writable; `-wal` and `-shm` belong into a copy of it.
 */
export function sqliteStorage(path: string, options: SqliteOptions = {}): Storage {
  const file = sqlitePath(path)
  const schedule = checkScheduleName(
    options.schedule === undefined ? defaultSchedule : options.schedule,
  )
  let connection: Connection | null = null
  let identity: FileIdentity | null = null
  let ownership: Ownership | null = null
  const use = sharedUse(
    () => {
      connection = connect(file, schedule)
      identity = new FileIdentity(file)
    },
    () => {
      const [leaving, owned] = [connection, ownership]
      connection = null
      ownership = null
      // Ownership last: who has it next finds everything written. Dying in between lets go as well.
      try {
        leaving?.database.close()
      } finally {
        owned?.release()
      }
    },
  )

  const call = <T>(work: () => T): Promise<T> => whenFree(() => use.call(work))

  /**
   * Before a transaction, so that nothing is written into a file that is lost, and after it: if it
   * was lost meanwhile, what was written is nowhere, and nothing may start on it.
   */
  function refuseLostFile(): void {
    identity?.check(() => {
      const number = (pragma: string) => connection?.database.pragma(pragma, { simple: true }) ?? 0
      return Number(number('page_count')) * Number(number('page_size'))
    })
  }

  function transaction(work: (tables: SqliteTables) => void): void {
    refuseLostFile()
    if (connection === null) {
      connection = connect(file, schedule)
      identity?.opened()
    }
    const { database, tables, begin, commit, rollBack } = connection
    begin()
    try {
      work(tables)
      commit()
      refuseLostFile()
    } catch (error) {
      try {
        // After some errors SQLite has done that itself.
        if (database.inTransaction) rollBack()
      } catch {
        // Without a connection nothing is left of the transaction; the next call makes another one.
        connection = null
        identity?.closed()
        database.close()
      }
      throw error
    }
  }

  return {
    place: file,
    async open() {
      try {
        await whenFree(() => use.open())
      } catch (error) {
        throw isBusy(error) ? unusable(file, error) : error
      }
    },
    own: (whenInUse) =>
      call(() => {
        // A second scheduler on this object: the process is the owner already.
        if (ownership !== null) return false
        connection ??= connect(file, schedule)
        ownership = Ownership.claim({ file, schedule }, connection.tables.owner(), whenInUse)
        return ownership.takesOver
      }),
    change: (decide) =>
      call(() => {
        transaction((tables) => {
          ownership?.note(tables)
          change(tables, decide)
        })
        ownership?.isNoted()
      }),
    save: (instanceId, records, watched) =>
      call(() => transaction((tables) => save(tables, instanceId, records, watched))),
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

function connect(file: string, schedule: string): Connection {
  const database = openSqliteFile(file, schedule)
  const prepared = (sql: string): (() => void) => {
    const statement = database.prepare(sql)
    return () => void statement.run()
  }
  return {
    database,
    tables: sqliteTables(database, schedule),
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
