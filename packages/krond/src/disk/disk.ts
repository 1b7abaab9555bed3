/**
 * The few calls of a file system that make state durable. Each of them is an effect of its
 * own, so that a test can fail it, or die before and after it. All throw errors with a `code`
 * (`ENOENT`, `EIO`, ...), as Node does.
 */
export interface Disk extends ReadableDisk, WritableDisk {}

/** Synchronous: used before anything is scheduled, when thousands of files are to be read. */
export interface ReadableDisk {
  /** What is there, without following a symbolic link; null when nothing is. */
  inspect(path: string): DiskEntry | null
  list(folder: string): readonly string[]
  /** The bytes of a regular file; throws `ELOOP` for a symbolic link. */
  read(path: string): Uint8Array
  /** A regular file and its bytes, of a larger one only `most`; otherwise as `read`. */
  open(path: string, most: number): OpenedFile
}

export interface WritableDisk {
  /** Makes the folder and those above it; one that exists is left as it is. */
  makeFolder(path: string, mode: number): void
  /** A second name for a file, durable only after `syncFolder`. */
  link(existing: string, name: string): void
  remove(path: string): void
  /**
   * A file with exactly this mode, and with what is written to it when it is synced or closed. One
   * that is there is used, unless it has another name as well: then it keeps that, and its
   * contents. Follows no symbolic link.
   */
  create(path: string, mode: number): Promise<DiskFile>
  rename(from: string, to: string): Promise<void>
  /**
   * As `rename`, but what had the second name may get the first, instead of being lost: to make and
   * remove a file for each change is the most work of all for a file system.
   */
  replace(from: string, to: string): Promise<void>
  /** Makes the names in a folder durable. */
  syncFolder(folder: string): Promise<void>
}

export interface DiskFile {
  /** Answers how many bytes were written, which may be fewer than given. */
  write(bytes: Uint8Array): Promise<number>
  /** Makes the contents durable. */
  sync(): Promise<void>
  close(): Promise<void>
}

/** What was opened is what is described, whatever happens to its name meanwhile. */
export interface OpenedFile {
  readonly entry: DiskEntry
  readonly bytes: Uint8Array
}

export interface DiskEntry {
  readonly kind: 'file' | 'folder' | 'link' | 'other'
  /** Permission bits, such as 0o600. */
  readonly mode: number
  readonly uid: number
  readonly size: number
  /** When the contents were last written, epoch ms. */
  readonly modifiedAt: number
}

/** Why a call of a disk failed, in the form in which Node reports it. */
export class DiskError extends Error {
  readonly code: string
  readonly path: string

  constructor(code: string, operation: string, path: string) {
    super(`${code}: ${operation} '${path}'`)
    this.code = code
    this.path = path
  }

  static {
    Object.defineProperty(DiskError.prototype, 'name', { value: 'DiskError', configurable: true })
  }
}

/** `ENOENT`, `EIO`, ...; null when the error does not come from a disk. */
export function errnoOf(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null
  return typeof code === 'string' ? code : null
}

const errnoWords: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of this user is used up',
  EROFS: 'the disk is read-only',
  ENOTDIR: 'a part of the path is a file',
}

/** The code, and what it means where that is worth saying. */
export const errnoText = (code: string): string =>
  Object.hasOwn(errnoWords, code) ? `${code}, ${errnoWords[code]}` : code
