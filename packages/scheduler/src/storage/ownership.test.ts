import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { StorageInUseError } from '../errors/index.js'
import { takeOwnerLock } from './owner-lock.js'
import { Ownership } from './ownership.js'
import { openSqliteFile } from './sqlite-file.js'
import { sqliteTables } from './sqlite-tables.js'

let folder: string
let file: string
const open: { close(): void }[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kron-ownership-'))
  file = join(folder, 'tasks.db')
  open.push(openSqliteFile(file, 'default'))
})
afterEach(() => {
  for (const one of open.splice(0)) one.close()
  rmSync(folder, { recursive: true })
})

/** Whether somebody who is not of ours gets this lock; it is held until the test is over. */
function lockElsewhere(path: string): boolean {
  const other = new Database(path, { timeout: 0 })
  open.push(other)
  try {
    other.exec('BEGIN IMMEDIATE')
    return true
  } catch {
    return false
  }
}

/** The process that started this one: it lives, and is another one. */
const living = { lock: 0, processId: process.ppid, host: hostname() }
const place = (schedule = 'default') => ({ file, schedule })

describe('the lock of an owner', () => {
  it('is held until all of this process have let go of it, each once', () => {
    const path = `${file}-owner`
    const [one, other] = [takeOwnerLock(path, file)!, takeOwnerLock(path, file)!]
    expect([one.isNew, other.isNew]).toEqual([true, true])
    one.release()
    one.release()
    expect(lockElsewhere(path)).toBe(false)
    other.release()
    expect(lockElsewhere(path)).toBe(true)
    expect(takeOwnerLock(path, file)).toBeNull()
  })

  it('is new only where there was no file, and is for those who may use the database', () => {
    chmodSync(file, 0o640)
    const path = `${file}-owner`
    takeOwnerLock(path, file)!.release()
    expect(statSync(path).mode & 0o777).toBe(0o640)
    const again = takeOwnerLock(path, file)!
    expect(again.isNew).toBe(false)
    again.release()
    expect(existsSync(`${path}-journal`)).toBe(false)
  })

  it('that can not be made is an error, and no other owner', () => {
    expect(() => takeOwnerLock(join(folder, 'none', 'owner'), file)).toThrow('ENOENT')
    expect(() => takeOwnerLock(`${file}-owner`, join(folder, 'none'))).toThrow('ENOENT')
  })
})

describe('who claims a file', () => {
  const claim = (
    noted: Parameters<typeof Ownership.claim>[1],
    whenInUse: 'refuse' | 'takeOver' = 'refuse',
    schedule = 'default',
  ): Ownership => {
    const ownership = Ownership.claim(place(schedule), noted, whenInUse)
    open.push({ close: () => ownership.release() })
    return ownership
  }

  it.each([
    { title: 'nobody', noted: null, name: 'tasks.db-owner' },
    { title: 'one that is gone', noted: { ...living, processId: 2 ** 30 }, name: 'tasks.db-owner' },
    {
      title: 'one of this process',
      noted: { ...living, processId: process.pid },
      name: 'tasks.db-owner',
    },
    {
      title: 'one on another host',
      noted: { ...living, host: 'elsewhere' },
      name: 'tasks.db-owner',
    },
    {
      title: 'one that took over',
      noted: { ...living, lock: 3, processId: 2 ** 30 },
      name: 'tasks.db-owner.3',
    },
  ])('after $title owns it at once', ({ noted, name }) => {
    expect(claim(noted).takesOver).toBe(false)
    expect(existsSync(join(folder, name))).toBe(true)
    expect(lockElsewhere(join(folder, name))).toBe(false)
  })

  it('through a link has the lock beside the file itself', () => {
    const link = join(folder, 'link.db')
    symlinkSync(file, link)
    const ownership = Ownership.claim({ file: link, schedule: 'web' }, null, 'refuse')
    ownership.release()
    expect(existsSync(`${file}-owner-web`)).toBe(true)
    expect(existsSync(`${link}-owner-web`)).toBe(false)
  })

  it('while another has the lock is refused with who that is', () => {
    takeOwnerLock(`${file}-owner`, file)!.release()
    lockElsewhere(`${file}-owner`)
    const refused = () => claim({ ...living, processId: 71 })
    expect(refused).toThrow(StorageInUseError)
    expect(refused).toThrow(`in use by process 71 on ${hostname()}`)
    expect(refused).toThrow(
      expect.objectContaining({
        details: { file, schedule: 'default', processId: 71, host: hostname() },
      }),
    )
    expect(() => claim(null)).toThrow('in use by another process')
  })

  it('and takes over gets the first lock that is free', () => {
    for (const path of [`${file}-owner`, `${file}-owner.1`]) {
      takeOwnerLock(path, file)!.release()
      lockElsewhere(path)
    }
    expect(claim(living, 'takeOver').takesOver).toBe(true)
    expect(lockElsewhere(`${file}-owner.2`)).toBe(false)
  })

  it('and takes over finds none when all are taken', () => {
    for (let lock = 0; lock < 8; lock++) {
      const path = `${file}-owner${lock === 0 ? '' : `.${lock}`}`
      takeOwnerLock(path, file)!.release()
      lockElsewhere(path)
    }
    expect(() => claim(living, 'takeOver')).toThrow(StorageInUseError)
    expect(existsSync(`${file}-owner.8`)).toBe(false)
  })

  it('where the lock file of a living one was deleted is refused, and leaves none', () => {
    expect(() => claim(living)).toThrow(StorageInUseError)
    expect(existsSync(`${file}-owner`)).toBe(false)
    expect(claim(living, 'takeOver').takesOver).toBe(true)
  })

  it('where the lock of a living one can be had owns it: that one has let go', () => {
    takeOwnerLock(`${file}-owner`, file)!.release()
    expect(claim(living).takesOver).toBe(false)
  })

  it('and takes over from nobody takes over nobody', () => {
    expect(claim(null, 'takeOver').takesOver).toBe(false)
  })

  it('notes the lock, and is refused when somebody else was faster', () => {
    const tables = sqliteTables(open[0] as Database.Database, 'default')
    const first = claim(null)
    first.note(tables)
    expect(tables.owner()).toEqual({ lock: 0, processId: process.pid, host: hostname() })
    tables.setOwner({ lock: 4, processId: 71, host: 'elsewhere' })
    expect(() => first.note(tables)).toThrow('in use by process 71 on elsewhere')
    expect(tables.owner()).toMatchObject({ lock: 4 })
  })

  it('and took over may note its lock again once that is on disk', () => {
    const tables = sqliteTables(open[0] as Database.Database, 'default')
    takeOwnerLock(`${file}-owner`, file)!.release()
    lockElsewhere(`${file}-owner`)
    const ownership = claim(living, 'takeOver')
    ownership.note(tables)
    // Until then another attempt expects what was there before.
    expect(() => ownership.note(tables)).toThrow(StorageInUseError)
    ownership.isNoted()
    ownership.note(tables)
    expect(tables.owner()).toMatchObject({ lock: 1, processId: process.pid })
  })
})
