import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  statSync,
  writeSync,
} from 'node:fs'
import { attemptOnLock, isMissing, lockFailure, tryFlock } from './flock.js'

/** What the holder says of itself, such as `{ pid, startedAt }`. */
export type LockInfo = Readonly<Record<string, unknown>>

const maxInfoBytes = 64 * 1024
const { O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_RDWR } = constants

const pathIn = (folder: string): string => `${folder}/krond.lock`

/**
 * The file in which the holder of a state folder says who it is. It keeps nobody out: the lock is
 * on the folder, and this file may be removed. It is locked all the same, because it was the lock
 * once: a daemon of an older version knows no other, and the two must not run beside each other.
 */
export class HolderFile {
  readonly #path: string
  #descriptor: number

  private constructor(path: string, descriptor: number) {
    this.#path = path
    this.#descriptor = descriptor
  }

  /** null when somebody else has it: a daemon of an older version, or one who looks just now. */
  static take(folder: string): HolderFile | null {
    const path = pathIn(folder)
    const descriptor = opened(path, O_RDWR | O_CREAT)
    let isOurs = false
    try {
      isOurs = tryFlock(descriptor, 'exclusive')
      return isOurs ? new HolderFile(path, descriptor) : null
    } finally {
      if (!isOurs) closeSync(descriptor)
    }
  }

  /** In place: a new file with this name would not be locked. A removed one is created again. */
  write(info: LockInfo): void {
    attemptOnLock('write', this.#path, () => {
      const line = new TextEncoder().encode(`${JSON.stringify(info)}\n`)
      if (line.length > maxInfoBytes) throw lockFailure('write', this.#path, 'too much to say')
      this.#bringBack()
      const to = this.#descriptor
      let written = 0
      while (written < line.length) written += writeSync(to, line, written, null, written)
      // Afterwards: a reader meanwhile finds the first line whole, and ignores what is behind it.
      ftruncateSync(to, line.length)
    })
  }

  close(): void {
    closeSync(this.#descriptor)
  }

  #bringBack(): void {
    if (isStillAt(this.#path, this.#descriptor)) return
    const descriptor = opened(this.#path, O_RDWR | O_CREAT)
    // A reader may have a lock for a moment; nobody needs ours to find the file.
    tryFlock(descriptor, 'exclusive')
    closeSync(this.#descriptor)
    this.#descriptor = descriptor
  }
}

/** What the file says; null when there is none, or when it is being written just now. */
export function readInfo(folder: string): LockInfo | null {
  return lookedAt(folder, (descriptor) => infoIn(descriptor)) ?? null
}

/** Whether somebody has the lock on the file, as a daemon of an older version does. */
export function isFileLocked(folder: string): boolean {
  return lookedAt(folder, (descriptor) => !tryFlock(descriptor, 'shared')) ?? false
}

/** undefined when there is no such file. */
function lookedAt<T>(folder: string, look: (descriptor: number) => T): T | undefined {
  const path = pathIn(folder)
  let descriptor: number
  try {
    descriptor = opened(path, O_RDONLY)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
  try {
    return attemptOnLock('read', path, () => look(descriptor))
  } finally {
    closeSync(descriptor)
  }
}

function infoIn(descriptor: number): LockInfo | null {
  const buffer = new Uint8Array(maxInfoBytes)
  const length = readSync(descriptor, buffer, 0, buffer.length, 0)
  const text = new TextDecoder().decode(buffer.subarray(0, length))
  const end = text.indexOf('\n')
  try {
    const value: unknown = JSON.parse(text.slice(0, Math.max(end, 0)))
    const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isRecord ? (value as LockInfo) : null
  } catch {
    return null
  }
}

function opened(path: string, flags: number): number {
  const safe = flags | O_NOFOLLOW | O_NONBLOCK
  const descriptor = attemptOnLock('open', path, () => openSync(path, safe, 0o600))
  if (fstatSync(descriptor).isFile()) return descriptor
  closeSync(descriptor)
  throw lockFailure('open', path, 'it is not a regular file')
}

/** Whether the path still leads to what is open: nobody has removed or replaced it. */
export function isStillAt(path: string, descriptor: number): boolean {
  const now = statSync(path, { throwIfNoEntry: false })
  const ours = fstatSync(descriptor)
  return now?.ino === ours.ino && now.dev === ours.dev
}
