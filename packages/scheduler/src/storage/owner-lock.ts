import { closeSync, fchmodSync, openSync, statSync } from 'node:fs'
import type { Database } from 'better-sqlite3'
import { isBusy } from './busy.js'
import { loadSqlite } from './sqlite-library.js'

/** Locks of this process; a second scheduler in it shares them. */
const held = new Map<string, { readonly database: Database; holders: number }>()

/**
 * Takes the lock, or answers null when another process has it. It is a lock of the kernel, held by
 * a transaction that stays open and writes nothing: dying in whatever way lets go of it, what other
 * processes can see does not matter, and there is nothing in the file that could be damaged.
 */
export function takeOwnerLock(path: string, like: string): (() => void) | null {
  const ours = held.get(path) ?? lockedBy(path, like)
  if (ours === null) return null
  held.set(path, ours)
  ours.holders++
  let isHeld = true
  return () => {
    if (!isHeld) return
    isHeld = false
    ours.holders--
    if (ours.holders > 0) return
    held.delete(path)
    ours.database.close()
  }
}

function lockedBy(path: string, like: string): { database: Database; holders: number } | null {
  createLike(path, like)
  const sqlite = loadSqlite()
  const database = new sqlite(path, { fileMustExist: true, timeout: 0 })
  try {
    // Nothing is ever committed, so no journal has to be beside it, or to be left there by a kill.
    database.pragma('journal_mode = MEMORY')
    database.exec('BEGIN IMMEDIATE')
    return { database, holders: 0 }
  } catch (error) {
    database.close()
    if (isBusy(error)) return null
    throw error
  }
}

/**
 * For whoever may use the database, and nobody else. One that exists is not opened: closing it
 * would drop the lock if this process holds it. The files stay: removing one that somebody is about
 * to lock would give two owners.
 */
function createLike(path: string, like: string): void {
  const mode = statSync(like).mode & 0o777
  try {
    const descriptor = openSync(path, 'wx', mode)
    fchmodSync(descriptor, mode)
    closeSync(descriptor)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
