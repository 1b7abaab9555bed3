import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Logger,
  type StorageError,
  type StorageUnusableError,
  sqliteStorage,
  type TaskInvalidValueError,
} from '@kron/scheduler'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { rejectionOf } from './conformance/rejection.js'
import { World } from './world.js'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kron-errors-'))
  file = join(folder, 'tasks.db')
})
afterEach(() => rmSync(folder, { recursive: true }))

function sql(text: string): void {
  const database = new Sqlite(file)
  database.exec(text)
  database.close()
}

describe('an error of a storage', () => {
  it('that can not be used has what the system said as its cause, and the file', async () => {
    const path = join(folder, 'nowhere', 'tasks.db')
    const world = new World('2026-03-02T10:00:00Z', { storage: sqliteStorage(path) })
    const refused = world.scheduler().initialize([world.task('a', '* * * * *')])
    const error = await rejectionOf<StorageUnusableError>(refused)
    expect(error.name).toBe('StorageUnusableError')
    expect(error.cause).toMatchObject({ code: 'ENOENT', path })
    expect(error.details).toEqual({ reason: error.message, file: path, cause: error.cause })
  })

  it('that fails while it runs names the file and the tasks', async () => {
    const world = new World('2026-03-02T10:00:30Z', { storage: sqliteStorage(file) })
    const scheduler = world.scheduler()
    await scheduler.initialize(['a', 'b', 'c'].map((name) => world.task(name, '1 * * * *')))
    await world.settled()
    sql('DROP TABLE task_state')
    await world.minutes(1)
    const [failed] = world.eventsOf('StorageFailed')
    const error = failed?.error as StorageError
    expect(error.message).toBe(
      `Storage failed to save task "a" and 2 more in ${file}: no such table: task_state`,
    )
    expect(error.details).toEqual({
      operation: 'save',
      place: file,
      taskNames: ['a', 'b', 'c'],
      cause: error.cause,
    })
    await scheduler.stop()
  })

  it('about a stored task that can not be read names that task and the file', async () => {
    const told: string[] = []
    const logger: Logger = { info: (sentence) => void told.push(sentence) }
    const world = new World('2026-03-02T10:00:00Z', { storage: sqliteStorage(file), logger })
    const tasks = ['a', 'b'].map((name) => world.task(name, '0 0 * * *'))
    const scheduler = world.scheduler()
    await scheduler.initialize(tasks)
    await scheduler.stop()
    sql("UPDATE task SET retry_delay_ms = -1 WHERE name = 'b'")
    told.length = 0
    const error = await rejectionOf<TaskInvalidValueError>(scheduler.initialize(tasks))
    const reason = 'must be milliseconds, zero or more'
    expect(error.message).toBe(`Invalid value for field 'retryDelayMs': ${reason}`)
    expect(error.details).toEqual({ field: 'retryDelayMs', value: -1, reason })
    expect(error.where).toBe(`task "b" with the id 1 in ${file}`)
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ where: error.where })
    expect(told).toEqual([`could not be initialized: ${error.message} (${error.where})`])
  })

  it('that another scheduler uses by now names the file', async () => {
    const storage = sqliteStorage(file)
    const world = new World('2026-03-02T10:00:30Z', { storage })
    const first = world.scheduler()
    const tasks = [world.task('a', '* * * * *')]
    await first.initialize(tasks)
    await world.settled()
    sql("UPDATE schedule SET instance_id = 'another'")
    await world.minutes(1)
    expect(world.eventsOf('StorageFailed')).toMatchObject([
      { failure: { name: 'SupersededError', where: file }, retryAt: null },
    ])
    await first.stop()
  })
})
