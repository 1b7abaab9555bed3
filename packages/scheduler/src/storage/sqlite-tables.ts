import type { Database } from 'better-sqlite3'
import type { TaskRecord } from '../task/task-record.js'
import { suffixOf } from './schedule-name.js'
import { type ScheduleChange, type StoredSchedule, unknownTask } from './storage.js'

/** Of one schedule; those of the default one have the plain names. */
const tableNames = ['schedule', 'task', 'task_state'] as const
type TableNames = { readonly [Name in (typeof tableNames)[number]]: string }

function namesOf(schedule: string): TableNames {
  const named = (name: string): string => `"${name}${suffixOf(schedule)}"`
  return { schedule: named('schedule'), task: named('task'), task_state: named('task_state') }
}

/**
 * Each schedule has tables of its own, so that none can touch the tasks of another. What a run
 * changes is in one by itself: its rows are short, so that a minute with many starts touches few
 * pages. A task has a row there once it has run.
 *
 * Names have no unique index: scheduler and reader look for duplicates anyway, and with it a
 * million tasks take three times as long to add.
 */
const schema = (names: TableNames): string => `
  CREATE TABLE IF NOT EXISTS ${names.schedule} (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    scheduler_id TEXT NOT NULL,
    instance_id TEXT NOT NULL,
    watched TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS ${names.task} (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    expression TEXT NOT NULL,
    retry_delay_ms REAL NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS ${names.task_state} (
    id INTEGER PRIMARY KEY,
    last_attempt_at INTEGER,
    last_success_at INTEGER,
    last_failure_at INTEGER,
    pending_retry_until INTEGER,
    running_instance TEXT,
    made_up_for TEXT
  ) STRICT;
  CREATE TABLE IF NOT EXISTS owner (
    schedule TEXT PRIMARY KEY,
    lock INTEGER NOT NULL,
    process_id INTEGER NOT NULL,
    host TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
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
  madeUpFor: 'made_up_for',
}
type Fields = readonly (keyof TaskRecord)[]

const configurationFields: Fields = ['name', 'expression', 'retryDelayMs']
const stateFields: Fields = [
  'lastAttemptAt',
  'lastSuccessAt',
  'lastFailureAt',
  'pendingRetryUntil',
  'runningInstance',
  'madeUpFor',
]

/** Going into SQLite costs more than the row, so many rows go in, and come out, at once. */
const rowsPerWrite = 200
const rowsPerRead = 1_000

/** In a file from before, tables get the column that they lack; earlier versions pass it over. */
export function createTables(database: Database, schedule: string): void {
  const names = namesOf(schedule)
  database.exec(schema(names))
  if (hasLatestColumn(database, schedule)) return
  database.exec(`ALTER TABLE ${names.task_state} ADD COLUMN ${latestColumn} TEXT`)
}

const latestColumn = 'made_up_for'

function hasLatestColumn(database: Database, schedule: string): boolean {
  const columns = database.prepare('SELECT name FROM pragma_table_info(?)').pluck()
  return columns.all(`task_state${suffixOf(schedule)}`).includes(latestColumn)
}

/** False as well for files from before there were several schedules, owners, or all columns. */
export function hasTables(database: Database, schedule: string): boolean {
  const wanted = ['owner', ...tableNames.map((name) => name + suffixOf(schedule))]
  const found = database
    .prepare('SELECT count(*) FROM sqlite_schema WHERE name IN (SELECT value FROM json_each(?))')
    .pluck()
    .get(JSON.stringify(wanted))
  return found === wanted.length && hasLatestColumn(database, schedule)
}

/** Who initialized last, and which of its lock files tells whether it lives. */
export interface NotedOwner {
  readonly lock: number
  readonly processId: number
  readonly host: string
}

export interface SqliteTables {
  schedule(): Omit<StoredSchedule, 'tasks'>
  setSchedule(schedule: Pick<ScheduleChange, 'schedulerId' | 'instanceId' | 'watched'>): void
  setWatched(watched: string): void
  owner(): NotedOwner | null
  setOwner(owner: NotedOwner): void
  /** By id, and read as they are asked for; in between nothing is left open. */
  taskChunks(): Iterable<unknown[]>
  remove(ids: readonly number[]): void
  add(records: Iterable<TaskRecord>): void
  replace(records: Iterable<TaskRecord>): void
  setStates(records: Iterable<TaskRecord>): void
}

export function sqliteTables(database: Database, name: string): SqliteTables {
  const names = namesOf(name)
  const schedule = database.prepare<[], Omit<StoredSchedule, 'tasks'>>(
    'SELECT scheduler_id AS "schedulerId", instance_id AS "instanceId", watched ' +
      `FROM ${names.schedule}`,
  )
  const setSchedule = database.prepare(
    `REPLACE INTO ${names.schedule} (id, scheduler_id, instance_id, watched) VALUES (1, ?, ?, ?)`,
  )
  const setWatched = database.prepare(`UPDATE ${names.schedule} SET watched = ?`)
  const owner = database.prepare<[string], NotedOwner>(
    'SELECT lock, process_id AS "processId", host FROM owner WHERE schedule = ?',
  )
  const setOwner = database.prepare(
    'REPLACE INTO owner (schedule, lock, process_id, host) VALUES (?, ?, ?, ?)',
  )
  const removals = [names.task, names.task_state].map((table) =>
    database.prepare(`DELETE FROM ${table} WHERE id IN (SELECT value FROM json_each(?))`),
  )
  const writer = (fields: Fields, sql: RowSql) =>
    rowWriter(database, ['id', ...fields], (rows) => sql(names, rows))
  const add = writer(configurationFields, insertion)
  const setConfigurations = writer(configurationFields, configurationUpdate)
  const setStates = writer(stateFields, stateChange)
  return {
    schedule: () => schedule.get() ?? { schedulerId: null, instanceId: null, watched: null },
    setSchedule({ schedulerId, instanceId, watched }) {
      setSchedule.run(schedulerId, instanceId, watched)
    },
    setWatched: (watched) => void setWatched.run(watched),
    owner: () => owner.get(name) ?? null,
    setOwner: ({ lock, processId, host }) => void setOwner.run(name, lock, processId, host),
    taskChunks: chunkReader(database, names),
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

type RowSql = (names: TableNames, rows: string) => string

const insertion: RowSql = ({ task }, rows) =>
  `INSERT INTO ${task} (id, ${columnsOf(configurationFields)}) VALUES ${rows}`

const configurationUpdate: RowSql = ({ task }, rows) => {
  const columns = columnsOf(configurationFields)
  return (
    `WITH new (id, ${columns}) AS (VALUES ${rows}) UPDATE ${task} AS task ` +
    `SET ${columns.map((column) => `${column} = new.${column}`)} FROM new WHERE task.id = new.id`
  )
}

/** Joined with the tasks, so that a state without a task is missing among the changes. */
const stateChange: RowSql = ({ task, task_state }, rows) => {
  const columns = columnsOf(stateFields)
  return (
    `WITH new (id, ${columns}) AS (VALUES ${rows}) INSERT INTO ${task_state} (id, ${columns}) ` +
    `SELECT new.* FROM new CROSS JOIN ${task} AS task WHERE task.id = new.id ` +
    'ON CONFLICT (id) DO UPDATE ' +
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
    if (changes === 0) throw unknownTask(record)
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

function chunkReader(database: Database, names: TableNames): () => Generator<unknown[]> {
  const columns = [...configurationFields, ...stateFields].map(
    (field) => `${columnOf[field]} AS "${field}"`,
  )
  const after = database.prepare<[number], { readonly id: number }>(
    `SELECT task.id, ${columns} FROM ${names.task} AS task ` +
      `LEFT JOIN ${names.task_state} AS task_state ON task_state.id = task.id ` +
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
