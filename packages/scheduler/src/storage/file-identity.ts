import { statSync } from 'node:fs'
import { StorageLostError } from '../errors/index.js'

/** What the path led to when the file was opened. */
interface Identity {
  readonly path: string
  readonly device: bigint
  readonly inode: bigint
  size: bigint
}

/**
 * Notices when the file of a database, or its write-ahead log, is not the one any more that is open.
 * SQLite goes on writing into a file that was deleted or replaced, and says that all is well.
 *
 * By its path alone, never by opening it: closing it would drop the locks that this process holds.
 * Content that is overwritten in place, with as many bytes or more, can't be noticed that way.
 */
export class FileIdentity {
  readonly #database: Identity | null
  #log: Identity | null = null

  /** Of a database that was just opened. */
  constructor(file: string) {
    this.#database = identityOf(file)
    this.opened()
  }

  /** The log is there while a connection is, and another one for the next; some disks have none. */
  opened(): void {
    if (this.#database !== null) this.#log = identityOf(`${this.#database.path}-wal`)
  }

  closed(): void {
    this.#log = null
  }

  /** `logicalSize` tells how much the database should have; it is asked if the file has shrunk. */
  check(logicalSize: () => number): void {
    if (this.#log !== null) sameAs(this.#log)
    const known = this.#database
    if (known === null) return
    const { size } = sameAs(known)
    // It shrinks as well when somebody vacuums it; then it is as large as it should be.
    if (size < known.size && size < BigInt(logicalSize())) {
      throw new StorageLostError(known.path, 'was truncated')
    }
    known.size = size
  }
}

function sameAs({ path, device, inode }: Identity): Identity {
  const found = identityOf(path)
  if (found === null) throw new StorageLostError(path, 'was deleted')
  if (found.device === device && found.inode === inode) return found
  throw new StorageLostError(path, 'was replaced by another file')
}

function identityOf(path: string): Identity | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  if (found === undefined) return null
  return { path, device: found.dev, inode: found.ino, size: found.size }
}
