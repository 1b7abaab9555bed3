import { fork } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { scratchFolder } from '../krond/scratch-folder.ts'
import { median } from '../statistics.ts'

/** What it costs at least to record as many starts durably, in one transaction. */
export interface SqliteFloor {
  readonly rows: number
  readonly bestMs: number
  readonly medianMs: number
}

const rounds = 7

/** A machine that is shared is slow for minutes at times. */
export const lowerOf = (a: SqliteFloor, b: SqliteFloor): SqliteFloor =>
  a.bestMs <= b.bestMs ? a : b

/** In a process of its own, as the contenders are. */
export async function measureSqliteFloor(rows: number): Promise<SqliteFloor> {
  const child = fork(fileURLToPath(import.meta.url), [String(rows)])
  const [floor] = (await once(child, 'message')) as [SqliteFloor]
  return floor
}

function measureHere(rows: number): SqliteFloor {
  const folder = scratchFolder()
  try {
    const times = updateTimes(join(folder, 'floor.db'), rows)
    return { rows, bestMs: Math.min(...times), medianMs: median(times) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function updateTimes(path: string, rows: number): number[] {
  const database = new Database(path)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.exec('CREATE TABLE task (id INTEGER PRIMARY KEY, name TEXT, attempt INTEGER, run TEXT)')
  const insert = database.prepare('INSERT INTO task VALUES (?, ?, NULL, NULL)')
  const update = database.prepare('UPDATE task SET attempt = ?, run = ? WHERE id = ?')
  database.transaction(() => {
    for (let id = 0; id < rows; id++) insert.run(id, `task-${id}`)
  })()
  const updateAll = database.transaction((attempt: number, run: string) => {
    for (let id = 0; id < rows; id++) update.run(attempt, run, id)
  })
  const times = Array.from({ length: rounds }, (_, round) => {
    const begin = performance.now()
    updateAll(Date.now(), `instance-${round}`)
    return performance.now() - begin
  })
  database.close()
  return times
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.send!(measureHere(Number(process.argv[2])))
  process.disconnect()
}
