import { quotePath, SystemError } from '@kron/core'
import { errnoOf, errnoText } from '../disk/disk-error.js'

export function attemptOnLock<T>(operation: string, path: string, call: () => T): T {
  try {
    return call()
  } catch (error) {
    throw error instanceof SystemError ? error : lockFailure(operation, path, error)
  }
}

export function lockFailure(operation: string, path: string, cause: unknown): SystemError {
  const code = errnoOf(cause)
  const message = cause instanceof Error ? cause.message : String(cause)
  const why = code === null ? message : errnoText(code)
  return new SystemError(
    'KRON_STATE_LOCK',
    `can't ${operation} ${quotePath(path)} for the lock of the state folder: ${why}`,
    { field: 'lock', value: path, allowed: 'a folder and files of ours', operation, path },
    { cause },
  )
}

export const isMissing = (error: unknown): boolean =>
  error instanceof SystemError && errnoOf(error.cause) === 'ENOENT'
