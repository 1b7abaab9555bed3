import { closeSync, fchmodSync, openSync, statSync } from 'node:fs'
import type { Database } from 'better-sqlite3'
import { isBusy } from './busy.js'
import { loadSqlite } from './sqlite-library.js'

/** A lock that this process holds. */
interface HeldLock {
  readonly database: Database
  /** There was no file to lock. */
  readonly isNew: boolean
  holders: number
}

/** Of this process; a second scheduler in it shares them. */
const held = new Map<string, HeldLock>()

export interface OwnerLock {
  readonly isNew: boolean
  readonly release: () => void
}

/**
 * Takes the lock, or answers null when another process has it. It is a lock of the kernel, held by
 * a transaction that stays open and writes nothing: dying in whatever way lets go of it, what other
 * processes can see does not matter, and there is nothing in the file that could be damaged.
 */
export function takeOwnerLock(path: string, like: string): OwnerLock | null {
  const ours = held.get(path) ?? lockOn(path, like)
  if (ours === null) return null
  held.set(path, ours)
  ours.holders++
  let isHeld = true
  const release = (): void => {
    if (!isHeld) return
    isHeld = false
    ours.holders--
    if (ours.holders > 0) return
    held.delete(path)
    ours.database.close()
  }
  return { isNew: ours.isNew, release }
}

function lockOn(path: string, like: string): HeldLock | null {
  const isNew = createLike(path, like)
  const sqlite = loadSqlite()
  const database = new sqlite(path, { fileMustExist: true, timeout: 0 })
  try {
    // Nothing is ever committed, so no journal has to be beside it, or to be left there by a kill.
    database.pragma('journal_mode = MEMORY')
    database.exec('BEGIN IMMEDIATE')
    return { database, isNew, holders: 0 }
  } catch (error) {
    database.close()
    if (isBusy(error)) return null
    throw error
  }
}

/**
 * Answers whether there was none. It is for those who may use the database, and nobody else. One
 * that exists is not opened: closing it would drop the lock if this process holds it. The files
 * stay: removing one that somebody is about to lock would give two owners.
 */
function createLike(path: string, like: string): boolean {
  const mode = statSync(like).mode & 0o777
  try {
    const descriptor = openSync(path, 'wx', mode)
    fchmodSync(descriptor, mode)
    closeSync(descriptor)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  }
}
