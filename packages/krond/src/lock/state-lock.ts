import { closeSync, constants, openSync } from 'node:fs'
import { quote, quotePath, SystemError } from '@kron/core'
import { errnoOf } from '../disk/disk.js'
import { attemptOnLock, isMissing, tryFlock } from './flock.js'
import { HolderFile, isFileLocked, isStillAt, type LockInfo, readInfo } from './holder-file.js'
import { lockHolder } from './lock-holder.js'

/**
 * One daemon for a state folder. The lock is the kernel's, on the open folder itself: it goes with
 * the process, however that ends, and there is no file that somebody could remove to let a second
 * daemon in. `krond.lock` beside the state only says who the holder is.
 */
export interface StateLock {
  /** Replaces what others can read about the holder. */
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
 * A caller of `readStateLock` holds a shared lock for a moment, which must not keep a daemon
 * from starting just then. So a lock that is taken is tried again for some 200 ms, but only if
 * nothing names another living process: against a daemon that runs, the refusal comes at once. A
 * daemon that has the lock and has not yet written its name is found by one of the later tries.
 */
export function acquireStateLock(folder: string, info: LockInfo): StateLock {
  for (let tried = 0; ; tried++) {
    const lock = tryAcquire(folder)
    if (lock instanceof HeldLock) return described(lock, info)
    if (tried === retries || namesLivingProcess(lock.holder)) throw locked(folder, lock.holder)
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
  const descriptor = openedToLook(folder)
  if (descriptor === null) return { held: false, info: null }
  try {
    if (!tryFlock(descriptor, 'shared')) return { held: true, info: holderOf(folder, descriptor) }
  } finally {
    closeSync(descriptor)
  }
  // What a holder that is gone has left there names a process that may be another one by now.
  const held = isFileLocked(folder)
  return { held, info: held ? readInfo(folder) : null }
}

interface Refused {
  readonly holder: LockInfo | null
}

function tryAcquire(folder: string): HeldLock | Refused {
  const descriptor = opened(folder)
  let isOurs = false
  try {
    if (!tryFlock(descriptor, 'exclusive')) return { holder: holderOf(folder, descriptor) }
    // A lock on a folder that was replaced meanwhile would keep nobody out.
    if (!attemptOnLock('inspect', folder, () => isStillAt(folder, descriptor))) {
      return { holder: null }
    }
    const file = HolderFile.take(folder)
    if (file === null) return { holder: readInfo(folder) }
    isOurs = true
    return new HeldLock(descriptor, file)
  } finally {
    if (!isOurs) closeSync(descriptor)
  }
}

const holderOf = (folder: string, descriptor: number): LockInfo | null =>
  readInfo(folder) ?? namedByKernel(descriptor)

function namedByKernel(descriptor: number): LockInfo | null {
  const pid = lockHolder(descriptor)
  return pid === null ? null : { pid }
}

const folderFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

const opened = (folder: string): number =>
  attemptOnLock('open', folder, () => openSync(folder, folderFlags))

/** null when there is no such folder. */
function openedToLook(folder: string): number | null {
  try {
    return opened(folder)
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

class HeldLock implements StateLock {
  #descriptor: number | null
  readonly #file: HolderFile

  constructor(descriptor: number, file: HolderFile) {
    this.#descriptor = descriptor
    this.#file = file
  }

  describe(info: LockInfo): void {
    if (this.#descriptor !== null) this.#file.write(info)
  }

  release(): void {
    if (this.#descriptor === null) return
    this.#file.close()
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
    return errnoOf(error) === 'EPERM'
  }
}

function locked(folder: string, holder: LockInfo | null): SystemError {
  const pid = holder?.['pid']
  const who = pid === undefined ? 'another process' : `process ${quote(pid)}`
  const rule = 'one daemon may run on a state folder'
  const advice = 'krond stop ends it, and --state names another folder'
  return new SystemError(
    'KRON_STATE_LOCKED',
    `${who} holds the lock of ${quotePath(folder)}: ${rule}; ${advice}`,
    { field: 'lock', value: pid ?? null, allowed: 'a state folder without a daemon', path: folder },
  )
}

/** Nothing else is to be done before the lock is held, so the whole thread may wait. */
function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
