import type { Database } from 'better-sqlite3'
import type { TaskRecord } from '../task/index.js'
import type { ScheduleChange, StoredSchedule } from './storage.js'
import { unknownTask } from './unknown-task.js'

/**
 * What a run changes is in a table of its own: its rows are short, so that a minute with many starts
 * touches few pages. A task has a row there once it has run.
 *
 * Names have no unique index: scheduler and reader look for duplicates anyway, and with it a
 * million tasks take three times as long to add.
 */
const schema = `
  CREATE TABLE schedule (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    scheduler_id TEXT NOT NULL,
    instance_id TEXT NOT NULL,
    watched TEXT NOT NULL
  ) STRICT;
  CREATE TABLE task (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    expression TEXT NOT NULL,
    retry_delay_ms REAL NOT NULL
  ) STRICT;
  CREATE TABLE task_state (
    id INTEGER PRIMARY KEY,
    last_attempt_at INTEGER,
    last_success_at INTEGER,
    last_failure_at INTEGER,
    pending_retry_until INTEGER,
    running_instance TEXT
  ) STRICT;
`

const columnOf: { readonly [Field in keyof TaskRecord]: string } = {
  id: 'id',
  name: 'name',
  expression: 'expression',
  retryDelayMs: 'retry_delay_ms',
  lastAttemptAt: 'last_attempt_at',
  lastSuccessAt: 'last_success_at',
  lastFailureAt: 'last_failure_at',
  pendingRetryUntil: 'pending_retry_until',
  runningInstance: 'running_instance',
}
type Fields = readonly (keyof TaskRecord)[]

const configurationFields: Fields = ['name', 'expression', 'retryDelayMs']
const stateFields: Fields = [
  'lastAttemptAt',
  'lastSuccessAt',
  'lastFailureAt',
  'pendingRetryUntil',
  'runningInstance',
]

/** Going into SQLite costs more than the row, so many rows go in, and come out, at once. */
const rowsPerWrite = 200
const rowsPerRead = 1_000

export function createTables(database: Database): void {
  database.exec(schema)
}

export interface SqliteTables {
  schedule(): Omit<StoredSchedule, 'tasks'>
  setSchedule(schedule: Pick<ScheduleChange, 'schedulerId' | 'instanceId' | 'watched'>): void
  setWatched(watched: string): void
  /** By id, and read as they are asked for; in between nothing is left open. */
  taskChunks(): Iterable<unknown[]>
  remove(ids: readonly number[]): void
  add(records: Iterable<TaskRecord>): void
  replace(records: Iterable<TaskRecord>): void
  setStates(records: Iterable<TaskRecord>): void
}

export function sqliteTables(database: Database): SqliteTables {
  const schedule = database.prepare<[], Omit<StoredSchedule, 'tasks'>>(
    `SELECT scheduler_id AS "schedulerId", instance_id AS "instanceId", watched FROM schedule`,
  )
  const setSchedule = database.prepare(
    'REPLACE INTO schedule (id, scheduler_id, instance_id, watched) VALUES (1, ?, ?, ?)',
  )
  const setWatched = database.prepare('UPDATE schedule SET watched = ?')
  const removals = ['task', 'task_state'].map((table) =>
    database.prepare(`DELETE FROM ${table} WHERE id IN (SELECT value FROM json_each(?))`),
  )
  const add = rowWriter(database, ['id', ...configurationFields], insertion)
  const setConfigurations = rowWriter(database, ['id', ...configurationFields], configurationUpdate)
  const setStates = rowWriter(database, ['id', ...stateFields], stateChange)
  return {
    schedule: () => schedule.get() ?? { schedulerId: null, instanceId: null, watched: null },
    setSchedule({ schedulerId, instanceId, watched }) {
      setSchedule.run(schedulerId, instanceId, watched)
    },
    setWatched: (watched) => void setWatched.run(watched),
    taskChunks: chunkReader(database),
    remove(ids) {
      for (const removal of removals) removal.run(JSON.stringify(ids))
    },
    add(records) {
      const withState: TaskRecord[] = []
      add(noting(records, withState))
      setStates(withState)
    },
    replace(records) {
      const all = [...records]
      setConfigurations(all)
      setStates(all)
    },
    setStates,
  }
}

/** Passes records on, and keeps those that have something to say about runs. */
function* noting(records: Iterable<TaskRecord>, kept: TaskRecord[]): Generator<TaskRecord> {
  for (const record of records) {
    if (stateFields.some((field) => record[field] !== null)) kept.push(record)
    yield record
  }
}

const columnsOf = (fields: Fields): string[] => fields.map((field) => columnOf[field])

const insertion = (rows: string): string =>
  `INSERT INTO task (id, ${columnsOf(configurationFields)}) VALUES ${rows}`

function configurationUpdate(rows: string): string {
  const columns = columnsOf(configurationFields)
  return (
    `WITH new (id, ${columns}) AS (VALUES ${rows}) UPDATE task ` +
    `SET ${columns.map((column) => `${column} = new.${column}`)} FROM new WHERE task.id = new.id`
  )
}

/** Joined with the tasks, so that a state without a task is missing among the changes. */
function stateChange(rows: string): string {
  const columns = columnsOf(stateFields)
  return (
    `WITH new (id, ${columns}) AS (VALUES ${rows}) INSERT INTO task_state (id, ${columns}) ` +
    'SELECT new.* FROM new CROSS JOIN task WHERE task.id = new.id ON CONFLICT (id) DO UPDATE ' +
    `SET ${columns.map((column) => `${column} = excluded.${column}`)}`
  )
}

function rowWriter(
  database: Database,
  fields: Fields,
  sql: (rows: string) => string,
): (records: Iterable<TaskRecord>) => void {
  const row = `(${fields.map(() => '?')})`
  const one = database.prepare(sql(row))
  const many = database.prepare(sql(new Array(rowsPerWrite).fill(row).join()))
  const values: unknown[] = new Array(rowsPerWrite * fields.length)
  const writeOne = (record: TaskRecord): void => {
    const { changes } = one.run(fields.map((field) => record[field]))
    if (changes === 0) throw unknownTask(record.id)
  }
  const writeMany = (records: readonly TaskRecord[]): void => {
    let at = 0
    for (const record of records) for (const field of fields) values[at++] = record[field]
    // One is unknown, or one is there twice and the later must win: by turns both come out right.
    if (many.run(values).changes !== records.length) for (const record of records) writeOne(record)
  }
  return (records) => {
    const batch: TaskRecord[] = []
    for (const record of records) {
      if (batch.push(record) < rowsPerWrite) continue
      writeMany(batch)
      batch.length = 0
    }
    for (const record of batch) writeOne(record)
  }
}

function chunkReader(database: Database): () => Generator<unknown[]> {
  const columns = [...configurationFields, ...stateFields].map(
    (field) => `${columnOf[field]} AS "${field}"`,
  )
  const after = database.prepare<[number], { readonly id: number }>(
    `SELECT task.id, ${columns} FROM task LEFT JOIN task_state ON task_state.id = task.id ` +
      `WHERE task.id > ? ORDER BY task.id LIMIT ${rowsPerRead}`,
  )
  return function* read() {
    let lastId = Number.NEGATIVE_INFINITY
    while (true) {
      const rows = after.all(lastId)
      if (rows.length === 0) return
      lastId = rows[rows.length - 1]!.id
      yield rows
    }
  }
}
