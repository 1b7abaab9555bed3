import { closeSync, ftruncateSync, writeSync } from 'node:fs'
import { quote, SystemError } from '@kron/core'
import { tryFlock } from './flock.js'
import {
  attemptOnLock,
  isStillAt,
  type LockInfo,
  lockFailure,
  lockPath,
  mostInfoBytes,
  openToLock,
  openToLook,
  readInfo,
} from './lock-file.js'

export interface StateLock {
  /** Replaces what others are told about the holder. */
  describe(info: LockInfo): void
  /** Lets others have the lock. Nothing happens the second time. */
  release(): void
}

const retries = 10
const retryAfterMs = 20

/**
 * Takes the lock of a state folder for as long as this process lives, or throws a SystemError
 * `KRON_STATE_LOCKED` that names the holder.
 *
 * Whoever asks with `readStateLock` holds a shared lock for a moment, which must not keep a daemon
 * from starting just then. So a lock that is taken is tried again for some 200 ms, but only if the
 * file names no other living process: against a daemon that runs, the refusal comes at once. A
 * daemon that has the lock and has not yet written its name is found by one of the later tries.
 */
export function acquireStateLock(folder: string, info: LockInfo): StateLock {
  const path = lockPath(folder)
  for (let tried = 0; ; tried++) {
    const lock = tryAcquire(path)
    if (lock instanceof HeldLock) return described(lock, info)
    if (tried === retries || namesLivingProcess(lock.holder)) throw locked(path, lock.holder)
    pause(retryAfterMs)
  }
}

function described(lock: HeldLock, info: LockInfo): StateLock {
  try {
    lock.describe(info)
    return lock
  } catch (error) {
    lock.release()
    throw error
  }
}

/**
 * Whether a daemon holds the lock, and what it says of itself; null while it has said nothing. To
 * find out, this takes a shared lock and drops it at once: see `acquireStateLock`.
 */
export function readStateLock(folder: string): {
  readonly held: boolean
  readonly info: LockInfo | null
} {
  const path = lockPath(folder)
  const descriptor = openToLook(path)
  if (descriptor === null) return { held: false, info: null }
  try {
    // What a holder that is gone has left there names a process that may be another one by now.
    const held = !tryFlock(descriptor, 'shared')
    return { held, info: held ? attemptOnLock('read', path, () => readInfo(descriptor)) : null }
  } finally {
    closeSync(descriptor)
  }
}

interface Refused {
  readonly holder: LockInfo | null
}

function tryAcquire(path: string): HeldLock | Refused {
  const descriptor = openToLock(path)
  let isOurs = false
  try {
    const isLocked = tryFlock(descriptor, 'exclusive')
    if (!isLocked) return { holder: attemptOnLock('read', path, () => readInfo(descriptor)) }
    // A lock on a file that was removed meanwhile would keep nobody out.
    isOurs = attemptOnLock('inspect', path, () => isStillAt(path, descriptor))
    return isOurs ? new HeldLock(path, descriptor) : { holder: null }
  } finally {
    if (!isOurs) closeSync(descriptor)
  }
}

class HeldLock implements StateLock {
  readonly #path: string
  #descriptor: number | null

  constructor(path: string, descriptor: number) {
    this.#path = path
    this.#descriptor = descriptor
  }

  /** In place: a new file under this name would not be locked. */
  describe(info: LockInfo): void {
    const descriptor = this.#descriptor
    if (descriptor === null) return
    attemptOnLock('write', this.#path, () => {
      const line = new TextEncoder().encode(`${JSON.stringify(info)}\n`)
      if (line.length > mostInfoBytes) throw lockFailure('write', this.#path, 'too much to say')
      let written = 0
      while (written < line.length) written += writeSync(descriptor, line, written, null, written)
      // Afterwards: who looks meanwhile finds the first line whole, and ignores what is behind it.
      ftruncateSync(descriptor, line.length)
    })
  }

  release(): void {
    if (this.#descriptor === null) return
    closeSync(this.#descriptor)
    this.#descriptor = null
  }
}

/** A number that is our own is left from a life before, in a container for example. */
function namesLivingProcess(holder: LockInfo | null): boolean {
  const pid = holder?.['pid']
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0) return false
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function locked(path: string, holder: LockInfo | null): SystemError {
  const pid = holder?.['pid']
  const who = pid === undefined ? 'another process' : `process ${quote(pid)}`
  return new SystemError(
    'KRON_STATE_LOCKED',
    `${who} holds the lock ${quote(path)}: one daemon may run on a state folder`,
    { field: 'lock', value: pid ?? null, allowed: 'a state folder without a daemon', path },
  )
}

/** Nothing else is to be done before the lock is held, so the whole thread may wait. */
function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
