import { spawnSync } from 'node:child_process'
import { quote, quotePath, SystemError } from '@kron/core'
import { messageOf } from '@kron/runtime'
import { errnoOf, errnoText } from '../disk/disk.js'

/**
 * Node has no flock(2), so a program of the system does it: flock locks the open file description,
 * which that program inherits as its descriptor 3 and shares with us. The lock stays when it
 * ends, and the kernel drops it when the last descriptor is closed: when we die, in whatever way.
 * Descriptors are close-on-exec, so no job inherits it and keeps it beyond our death.
 *
 * Only the short options are known to both util-linux and BusyBox.
 */
export function tryFlock(descriptor: number, mode: 'exclusive' | 'shared'): boolean {
  const args = ['-n', mode === 'exclusive' ? '-x' : '-s', '3']
  const stdio: ('ignore' | 'pipe' | number)[] = ['ignore', 'ignore', 'pipe', descriptor]
  const { error, status, signal, stderr } = spawnSync('flock', args, { stdio, encoding: 'utf8' })
  if (error !== undefined) throw unusable(error)
  if (status === 0) return true
  // A lock that others hold shows in the exit code alone; any other failure has a text.
  if (status === 1 && stderr.trim() === '') return false
  throw unusable(stderr.trim() || (signal ?? `exit code ${status}`))
}

function unusable(cause: Error | string): SystemError {
  const isMissing = errnoOf(cause) === 'ENOENT'
  const why = typeof cause === 'string' ? quote(cause) : (errnoOf(cause) ?? cause.message)
  const message = isMissing
    ? 'the program flock, of util-linux or BusyBox, is needed to lock the state folder'
    : `the program flock could not lock the state folder: ${why}`
  const details = { field: 'flock', value: why, allowed: 'a working flock(1) in the PATH' }
  return new SystemError('KRON_STATE_LOCK', message, details, { cause })
}

export function attemptOnLock<T>(operation: string, path: string, call: () => T): T {
  try {
    return call()
  } catch (error) {
    throw error instanceof SystemError ? error : lockFailure(operation, path, error)
  }
}

export function lockFailure(operation: string, path: string, cause: unknown): SystemError {
  const code = errnoOf(cause)
  const why = code === null ? messageOf(cause) : errnoText(code)
  return new SystemError(
    'KRON_STATE_LOCK',
    `can't ${operation} ${quotePath(path)} for the lock of the state folder: ${why}`,
    {
      field: 'lock',
      value: path,
      allowed: 'a folder and files that krond may use',
      operation,
      path,
    },
    { cause },
  )
}

export const isMissing = (error: unknown): boolean =>
  error instanceof SystemError && errnoOf(error.cause) === 'ENOENT'
