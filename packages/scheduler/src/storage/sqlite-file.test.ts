import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { changeTo, contents, tasks } from '../../testing/storage/stored-conformance.js'
import { StorageUnusableError } from '../errors/index.js'
import { sqliteStorage } from './sqlite-storage.js'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kron-storage-'))
  file = join(folder, 'tasks.db')
})
afterEach(() => rmSync(folder, { recursive: true }))

async function filled(): Promise<void> {
  const storage = sqliteStorage(file)
  await storage.open()
  await storage.change(() => changeTo({ added: tasks(0, 3) }))
  await storage.close()
}

function sql(text: string): void {
  const database = new Sqlite(file)
  database.exec(text)
  database.close()
}

async function expectRefused(path: string, reason: string | RegExp): Promise<void> {
  const storage = sqliteStorage(path)
  const open = storage.open()
  await expect(open).rejects.toBeInstanceOf(StorageUnusableError)
  await expect(open).rejects.toThrow(path)
  await expect(open).rejects.toThrow(reason)
  await expect(storage.save('first', [], 'watched')).rejects.toThrow('not open')
  await storage.close()
}

/** The superuser may read and write everything, so where that is us, somebody else tries. */
async function withoutPrivileges(work: () => Promise<void>): Promise<void> {
  const nobody = 65_534
  if (process.geteuid?.() !== 0) return work()
  process.seteuid?.(nobody)
  try {
    await work()
  } finally {
    process.seteuid?.(0)
  }
}

describe('the file of sqliteStorage', () => {
  it('is made by open and not before, for its owner only', async () => {
    const storage = sqliteStorage(file)
    expect(existsSync(file)).toBe(false)
    await storage.open()
    await storage.change(() => changeTo({ added: tasks(0, 3) }))
    for (const name of [file, `${file}-wal`]) expect(statSync(name).mode & 0o777).toBe(0o600)
    await storage.close()
  })

  it('may be there already, with whatever permissions it was given', async () => {
    writeFileSync(file, '')
    chmodSync(file, 0o640)
    await filled()
    expect(statSync(file).mode & 0o777).toBe(0o640)
  })

  it('that has its tables is not written when it is opened', async () => {
    await filled()
    const before = readFileSync(file)
    const storage = sqliteStorage(file)
    await storage.open()
    await storage.close()
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  it('says nothing of runs of tasks that never ran', async () => {
    await filled()
    const database = new Sqlite(file, { readonly: true })
    const count = (table: string) => database.prepare(`SELECT count(*) FROM ${table}`).pluck().get()
    expect([count('task'), count('task_state')]).toEqual([3, 0])
    database.close()
  })

  it('is one file again after the last close', async () => {
    await filled()
    expect([existsSync(file), existsSync(`${file}-wal`)]).toEqual([true, false])
  })

  it('has a lock file beside it with the permissions of its own', async () => {
    writeFileSync(file, '')
    chmodSync(file, 0o660)
    const storage = sqliteStorage(file)
    await storage.open()
    await storage.own!('refuse')
    expect(statSync(`${file}-owner`).mode & 0o777).toBe(0o660)
    await storage.close()
  })

  it('stays the same when the working folder changes', async () => {
    const before = process.cwd()
    try {
      process.chdir(folder)
      const storage = sqliteStorage(basename(file))
      process.chdir(tmpdir())
      await storage.open()
      await storage.close()
    } finally {
      process.chdir(before)
    }
    expect(existsSync(file)).toBe(true)
  })

  it('says whose it is and in which version', async () => {
    await filled()
    const database = new Sqlite(file)
    const setting = (name: string): unknown => database.pragma(name, { simple: true })
    expect(setting('application_id')).toBe(Buffer.from('Kron').readInt32BE())
    expect(setting('user_version')).toBe(1)
    expect(
      database.prepare("SELECT count(*) FROM sqlite_schema WHERE type = 'index'").pluck().get(),
    ).toBe(0)
    database.close()
  })
})

describe('the schedules of one file', () => {
  it('are apart, in whatever order they come', async () => {
    const [plain, web] = [sqliteStorage(file), sqliteStorage(file, { schedule: 'web' })]
    await Promise.all([plain.open(), web.open()])
    await web.change(() => changeTo({ instanceId: 'of web', added: tasks(0, 500) }))
    await plain.change(() => changeTo({ added: tasks(0, 3) }))
    await web.save('of web', tasks(0, 500), 'seen')
    await plain.save('first', tasks(0, 3), 'watched')
    expect(await contents(plain)).toMatchObject({ instanceId: 'first', tasks: tasks(0, 3) })
    expect(await contents(web)).toMatchObject({ watched: 'seen', tasks: tasks(0, 500) })
    await plain.change(() => changeTo({ removed: [0, 1, 2] }))
    expect((await contents(web)).tasks).toEqual(tasks(0, 500))
    await Promise.all([plain.close(), web.close()])
  })

  it('are one where none is named, and that is called default', async () => {
    await filled()
    const named = sqliteStorage(file, { schedule: 'default' })
    await named.open()
    expect((await contents(named)).tasks).toEqual(tasks(0, 3))
    await named.close()
  })

  it('come to a file from before there were several', async () => {
    await filled()
    sql('DROP TABLE owner')
    for (const schedule of ['default', 'web']) {
      const storage = sqliteStorage(file, { schedule })
      await storage.open()
      expect(await storage.own!('refuse')).toBe(false)
      expect((await contents(storage)).tasks).toHaveLength(schedule === 'web' ? 0 : 3)
      await storage.close()
    }
  })

  it('come from an earlier version without a column, and keep what that is for', async () => {
    await filled()
    sql('ALTER TABLE task_state DROP COLUMN made_up_for')
    const storage = sqliteStorage(file)
    await storage.open()
    const [first, ...others] = tasks(0, 3)
    expect((await contents(storage)).tasks).toEqual([first, ...others])
    await storage.change(() => changeTo({ instanceId: 'second' }))
    const changed = { ...first!, madeUpFor: '60000 180000..240000' }
    await storage.save('second', [changed], 'watched')
    expect((await contents(storage)).tasks).toEqual([changed, ...others])
    await storage.close()
  })

  it.each(['', 'Web', 'a b', '../x', 'x.1', '-x', 'x'.repeat(64), 5, null])(
    'are never called %o',
    (schedule) => {
      const attempt = () => sqliteStorage(file, { schedule: schedule as string })
      expect(attempt).toThrow(StorageUnusableError)
    },
  )
})

describe('a path that sqliteStorage refuses', () => {
  it.each(['', ' ', ':memory:', ' :memory: '])("is '%s', with a word on memoryStorage", (path) => {
    expect(() => sqliteStorage(path)).toThrow(StorageUnusableError)
    expect(() => sqliteStorage(path)).toThrow('memoryStorage()')
  })

  it.each(['file:tasks.db', 'tasks.db ', undefined, 5])('is %s', (path) => {
    expect(() => sqliteStorage(path as string)).toThrow(StorageUnusableError)
  })

  it('leads to a folder that does not exist', async () => {
    await expectRefused(join(folder, 'missing', 'tasks.db'), 'its folder does not exist')
  })

  it('leads to a folder', async () => {
    mkdirSync(file)
    await expectRefused(file, 'not a regular file')
  })

  it('leads to a file that is no database, which stays as it is', async () => {
    const text = 'name,expression\n'.repeat(100)
    writeFileSync(file, text)
    await expectRefused(file, 'file is not a database (SQLITE_NOTADB)')
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  it.each([
    [0o444, 'readonly'],
    [0o000, 'unable to open'],
  ])('leads to a file with the mode %o', async (mode, reason) => {
    await filled()
    chmodSync(folder, 0o777)
    chmodSync(file, mode)
    const before = readFileSync(file)
    await withoutPrivileges(() => expectRefused(file, reason))
    chmodSync(file, 0o600)
    expect(readFileSync(file)).toEqual(before)
  })

  it.each([
    ['a later version', 'PRAGMA user_version = 2', 'has version 2'],
    ['no version', 'PRAGMA user_version = 0', 'has version 0'],
    ['another application', 'PRAGMA application_id = 7', 'another application'],
    ['no application', 'PRAGMA application_id = 0', 'another application'],
  ])('leads to a database of %s, which stays as it is', async (_, change, reason) => {
    await filled()
    sql(`PRAGMA journal_mode = DELETE; ${change}`)
    const before = readFileSync(file)
    await expectRefused(file, reason)
    expect(readFileSync(file)).toEqual(before)
  })

  it('leads to a database with tables of somebody else', async () => {
    sql('CREATE TABLE task (id INTEGER PRIMARY KEY, title TEXT)')
    const before = readFileSync(file)
    await expectRefused(file, 'another application')
    expect(readFileSync(file)).toEqual(before)
  })

  it('may be right the next time', async () => {
    writeFileSync(file, 'no database, and longer than a header of one would be'.repeat(20))
    const storage = sqliteStorage(file)
    await expect(storage.open()).rejects.toBeInstanceOf(StorageUnusableError)
    rmSync(file)
    await storage.open()
    expect((await contents(storage)).tasks).toEqual([])
    await storage.close()
  })
})
