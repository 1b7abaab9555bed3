import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { quote, SystemError } from '@kron/core'
import { errnoOf } from '../disk/index.js'

/** What the holder says of itself, such as `{ pid, startedAt }`. */
export type LockInfo = Readonly<Record<string, unknown>>

export const mostInfoBytes = 64 * 1024

const { O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_RDWR } = constants

export function lockPath(folder: string): string {
  return `${folder}/krond.lock`
}

export function openToLock(path: string): number {
  return opened(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK)
}

/** null when there is no such file. */
export function openToLook(path: string): number | null {
  try {
    return opened(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  } catch (error) {
    if (error instanceof SystemError && errnoOf(error.cause) === 'ENOENT') return null
    throw error
  }
}

function opened(path: string, flags: number): number {
  const descriptor = attemptOnLock('open', path, () => openSync(path, flags, 0o600))
  if (fstatSync(descriptor).isFile()) return descriptor
  closeSync(descriptor)
  throw lockFailure('open', path, 'it is not a regular file')
}

/** Whether the path still leads to the open file: nobody has removed or replaced it. */
export function isStillAt(path: string, descriptor: number): boolean {
  const now = statSync(path, { throwIfNoEntry: false })
  const ours = fstatSync(descriptor)
  return now?.ino === ours.ino && now.dev === ours.dev
}

/** null when nothing was written, or when it is being written just now. */
export function readInfo(descriptor: number): LockInfo | null {
  const buffer = new Uint8Array(mostInfoBytes)
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

export function attemptOnLock<T>(operation: string, path: string, call: () => T): T {
  try {
    return call()
  } catch (error) {
    throw lockFailure(operation, path, error)
  }
}

export function lockFailure(operation: string, path: string, cause: unknown): SystemError {
  const why = errnoOf(cause) ?? (cause instanceof Error ? cause.message : String(cause))
  return new SystemError(
    'KRON_SYSTEM',
    `can't ${operation} the lock file ${quote(path)}: ${why}`,
    { field: 'lock', value: path, allowed: 'a regular file of ours', operation, path },
    { cause },
  )
}
