import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite, { type Database, type Statement } from 'better-sqlite3'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { describeStorage } from '../../testing/storage/storage-conformance.js'
import { changeTo, contents, task, tasks } from '../../testing/storage/stored-conformance.js'
import { SupersededError } from '../errors/index.js'
import { started } from '../task/task-record.js'
import { sqliteStorage } from './sqlite-storage.js'

const folder = mkdtempSync(join(tmpdir(), 'kron-storage-'))
afterAll(() => rmSync(folder, { recursive: true }))
afterEach(() => void vi.restoreAllMocks())
let files = 0
const newFile = (): string => join(folder, `${++files}.db`)

describeStorage('sqliteStorage', () => {
  const file = newFile()
  return { storage: sqliteStorage(file), next: () => sqliteStorage(file) }
})

describe('two objects of sqliteStorage on one file', () => {
  it('see what the other has committed, and the later one supersedes the earlier', async () => {
    const file = newFile()
    const [first, second] = [sqliteStorage(file), sqliteStorage(file)]
    await Promise.all([first.open(), second.open()])
    await first.change(() => changeTo({ added: tasks(0, 3) }))
    await first.save('first', [started(task(1), 60_000, 'first')], 'seen')
    expect(await contents(second)).toEqual(await contents(first))
    await second.change(() => changeTo({ instanceId: 'second', removed: [0] }))
    await expect(first.save('first', [], 'watched')).rejects.toBeInstanceOf(SupersededError)
    await second.save('second', [task(1)], 'watched')
    expect((await contents(first)).tasks).toEqual(tasks(1, 3))
    await second.close()
    expect((await contents(first)).tasks).toEqual(tasks(1, 3))
    await first.close()
  })

  it('show a change as a whole, also to who reads in the middle of it', async () => {
    const file = newFile()
    const storage = sqliteStorage(file)
    await storage.open()
    await storage.change(() => changeTo({ added: tasks(0, 3) }))
    const other = new Sqlite(file)
    const count = other.prepare('SELECT count(*) FROM task').pluck()
    const seen: unknown[] = []
    function* added() {
      for (const record of tasks(3, 1_000)) {
        yield record
        if (record.id % 100 === 0) seen.push(count.get())
      }
    }
    await storage.change(() => changeTo({ added: added() }))
    expect(seen).toEqual(new Array(9).fill(3))
    expect(count.get()).toBe(1_000)
    other.close()
    await storage.close()
  })
})

/** The connection that the storage makes, and the statements that it prepares, in this test. */
async function openedWithAView(): Promise<{
  storage: ReturnType<typeof sqliteStorage>
  connection: Database
  statement(sql: string): Statement
}> {
  const prepare = vi.spyOn(Sqlite.prototype, 'prepare')
  const storage = sqliteStorage(newFile())
  await storage.open()
  await storage.change(() => changeTo({ added: tasks(0, 500) }))
  const statements = prepare.mock.results.map((result) => result.value as Statement)
  const statement = (sql: string): Statement => statements.find(({ source }) => source === sql)!
  return { storage, connection: statement('COMMIT').database, statement }
}

describe('sqliteStorage in trouble', () => {
  const changed = tasks(0, 500).map((record) => started(record, 60_000, 'first'))

  it('changes nothing while the disk is full, and goes on when there is room', async () => {
    const { storage, connection } = await openedWithAView()
    const before = await contents(storage)
    const pages = connection.pragma('page_count', { simple: true }) as number
    connection.pragma(`max_page_count = ${pages}`)
    const change = storage.change(() =>
      changeTo({ instanceId: 'second', added: tasks(500, 5_000) }),
    )
    await expect(change).rejects.toMatchObject({ code: 'SQLITE_FULL' })
    const long = 'x'.repeat(100_000)
    await expect(storage.save('first', changed, long)).rejects.toThrow('full')
    expect(await contents(storage)).toEqual(before)
    connection.pragma('max_page_count = 1000000')
    await storage.save('first', changed, long)
    expect(await contents(storage)).toMatchObject({ watched: long, tasks: changed })
    await storage.close()
  })

  it.each(['COMMIT', 'ROLLBACK'])('works again after a %s that failed', async (sql) => {
    const { storage, connection, statement } = await openedWithAView()
    const failure = new Error('the disk is gone')
    vi.spyOn(statement(sql), 'run').mockImplementationOnce(() => {
      throw failure
    })
    const refused = sql === 'COMMIT' ? changed : [...changed, task(777)]
    await expect(storage.save('first', refused, 'new')).rejects.toThrow(
      sql === 'COMMIT' ? 'the disk is gone' : 'no task with the id 777',
    )
    expect(connection.open).toBe(sql === 'COMMIT')
    expect(await contents(storage)).toMatchObject({ watched: 'watched', tasks: tasks(0, 500) })
    await storage.save('first', changed, 'new')
    expect(await contents(storage)).toMatchObject({ watched: 'new', tasks: changed })
    await storage.close()
  })

  it('rejects while another process writes for too long, and works when that is over', async () => {
    const { storage, connection } = await openedWithAView()
    connection.pragma('busy_timeout = 1')
    const other = new Sqlite(connection.name)
    other.exec('BEGIN IMMEDIATE')
    await expect(storage.save('first', changed, 'watched')).rejects.toMatchObject({
      code: 'SQLITE_BUSY',
    })
    other.exec('ROLLBACK')
    await storage.save('first', changed, 'watched')
    expect((await contents(storage)).tasks).toEqual(changed)
    other.close()
    await storage.close()
  })

  it('asks the disk to keep each commit, and never waits for others inside of SQLite', async () => {
    const { storage, connection } = await openedWithAView()
    const setting = (name: string): unknown => connection.pragma(name, { simple: true })
    const settings = ['journal_mode', 'synchronous', 'busy_timeout'].map(setting)
    expect(settings).toEqual(['wal', 2, 0])
    await storage.close()
  })

  it('keeps its connection until the last who opened it has closed it', async () => {
    const { storage, connection } = await openedWithAView()
    await storage.open()
    await storage.close()
    expect(connection.open).toBe(true)
    await storage.close()
    expect(connection.open).toBe(false)
  })
})
