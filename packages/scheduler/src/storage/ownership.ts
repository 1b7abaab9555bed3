import { realpathSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { StorageInUseError } from '../errors/index.js'
import { takeOwnerLock } from './owner-lock.js'
import { suffixOf } from './schedule-name.js'
import type { NotedOwner, SqliteTables } from './sqlite-tables.js'
import type { WhenInUse } from './storage.js'

/** More than processes that can be alive, each taken over by the next and none of them stopped. */
const maxLocks = 8

/** What is owned. */
export interface Place {
  readonly file: string
  readonly schedule: string
}

/**
 * That this process is the owner of a schedule in a file.
 *
 * The file notes by which lock its owner can be known to live, `-owner` unless a living one was
 * taken over: its lock can't be taken from it, so the next owner has another (`-owner.1`), and
 * notes that in the transaction in which it initializes. Two that claim at the same time either
 * want the same lock, and one is refused, or the later one finds another note than it expected.
 *
 * - Dying with the lock and before the transaction: the kernel lets go; the note is the old one.
 * - Dying after it: the note leads to a lock that nobody holds, so the next to come owns at once.
 */
export class Ownership {
  /** Whether a process that lives was the owner. */
  readonly takesOver: boolean
  readonly release: () => void
  readonly #place: Place
  readonly #lock: number
  #notedLock: number

  private constructor(
    place: Place,
    notedLock: number,
    lock: number,
    takesOver: boolean,
    release: () => void,
  ) {
    this.#place = place
    this.#notedLock = notedLock
    this.#lock = lock
    this.takesOver = takesOver
    this.release = release
  }

  /** Throws a StorageInUseError if another process lives and is not to be taken over. */
  static claim(place: Place, noted: NotedOwner | null, whenInUse: WhenInUse): Ownership {
    const notedLock = noted?.lock ?? 0
    const others = Array.from({ length: maxLocks }, (_, lock) => lock)
    for (const lock of whenInUse === 'takeOver' ? [notedLock, ...others] : [notedLock]) {
      const path = ownerFile(place, lock)
      const taken = takeOwnerLock(path, place.file)
      if (taken === null) continue
      const isDeleted = lock === notedLock && taken.isNew && seemsToLive(noted)
      if (isDeleted && whenInUse === 'refuse') {
        // As it was found, or the next to come would believe it. Dying before this leaves a file
        // that can be locked though the owner lives, as if nobody had noticed.
        rmSync(path)
        taken.release()
        break
      }
      const takesOver = isDeleted || lock !== notedLock
      return new Ownership(place, notedLock, lock, takesOver, taken.release)
    }
    throw inUse(place, noted)
  }

  /** Within the transaction of an initialization. */
  note(tables: SqliteTables): void {
    const noted = tables.owner()
    if ((noted?.lock ?? 0) !== this.#notedLock) throw inUse(this.#place, noted)
    tables.setOwner({ lock: this.#lock, processId: process.pid, host: hostname() })
  }

  /** The transaction is on disk. */
  isNoted(): void {
    this.#notedLock = this.#lock
  }
}

/** Beside the database itself, wherever links to it may be. */
function ownerFile({ file, schedule }: Place, lock: number): string {
  return `${realpathSync(file)}-owner${suffixOf(schedule)}${lock === 0 ? '' : `.${lock}`}`
}

/**
 * Asked only where the lock file of a noted owner is gone, which no process of ours does: somebody
 * deleted it, and its lock with it, or the database came from a copy. A number of a process says
 * little, least of all in a container, but then it is all there is.
 */
function seemsToLive(noted: NotedOwner | null): boolean {
  if (noted === null || noted.host !== hostname() || noted.processId === process.pid) return false
  try {
    return process.kill(noted.processId, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function inUse({ file, schedule }: Place, noted: NotedOwner | null): StorageInUseError {
  const { processId = null, host = null } = noted ?? {}
  return new StorageInUseError({ file, schedule, processId, host })
}
