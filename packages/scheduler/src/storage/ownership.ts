import { realpathSync } from 'node:fs'
import { hostname } from 'node:os'
import { StorageInUseError } from '../errors/index.js'
import { takeOwnerLock } from './owner-lock.js'
import { suffixOf } from './schedule-name.js'
import type { NotedOwner, SqliteTables } from './sqlite-tables.js'
import type { WhenInUse } from './storage.js'

/** More than processes that can be alive, each taken over by the next and none of them stopped. */
const mostLocks = 8

/**
 * That this process is the owner of a schedule in a file.
 *
 * The file notes by which lock its owner can be known to live, `-owner` unless a living one was
 * taken over: its lock can't be taken from it, so the next owner has another (`-owner.1`), and
 * notes that in the transaction in which it initializes. Two that claim at the same time either
 * want the same lock, and one is refused, or the later one finds another note than it expected.
 *
 * - Dying with the lock and before the transaction: the kernel lets go; the note is the old one.
 * - Dying after it: the note leads to a lock that nobody holds, so whoever comes owns at once.
 */
export class Ownership {
  /** Whether a process that lives was the owner. */
  readonly takesOver: boolean
  readonly release: () => void
  readonly #file: string
  readonly #schedule: string
  readonly #lock: number
  #notedLock: number

  private constructor(
    file: string,
    schedule: string,
    notedLock: number,
    lock: number,
    release: () => void,
  ) {
    this.#file = file
    this.#schedule = schedule
    this.#notedLock = notedLock
    this.#lock = lock
    this.takesOver = lock !== notedLock
    this.release = release
  }

  /** Throws a StorageInUseError if another process lives and is not to be taken over. */
  static claim(
    file: string,
    schedule: string,
    noted: NotedOwner | null,
    whenInUse: WhenInUse,
  ): Ownership {
    const notedLock = noted?.lock ?? 0
    const others = Array.from({ length: mostLocks }, (_, lock) => lock)
    for (const lock of whenInUse === 'takeOver' ? [notedLock, ...others] : [notedLock]) {
      const release = takeOwnerLock(ownerFile(file, schedule, lock), file)
      if (release !== null) return new Ownership(file, schedule, notedLock, lock, release)
    }
    throw inUse(file, schedule, noted)
  }

  /** Within the transaction of an initialization. */
  note(tables: SqliteTables): void {
    const noted = tables.owner()
    if ((noted?.lock ?? 0) !== this.#notedLock) throw inUse(this.#file, this.#schedule, noted)
    tables.setOwner({ lock: this.#lock, processId: process.pid, host: hostname() })
  }

  /** The transaction is on disk. */
  isNoted(): void {
    this.#notedLock = this.#lock
  }
}

/** Beside the database itself, wherever links to it may be. */
function ownerFile(file: string, schedule: string, lock: number): string {
  return `${realpathSync(file)}-owner${suffixOf(schedule)}${lock === 0 ? '' : `.${lock}`}`
}

function inUse(file: string, schedule: string, noted: NotedOwner | null): StorageInUseError {
  const { processId = null, host = null } = noted ?? {}
  return new StorageInUseError({ file, schedule, processId, host })
}
