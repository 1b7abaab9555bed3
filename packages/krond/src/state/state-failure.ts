import {
  type ErrorDetails,
  IncompatibleStateError,
  PersistenceError,
  quote,
  quotePath,
} from '@kron/core'
import { errnoOf, errnoText } from '../disk/disk.js'

/** What was being done to the state folder. */
export type StateOperation =
  | 'encode'
  | 'make'
  | 'inspect'
  | 'list'
  | 'read'
  | 'link'
  | 'remove'
  | 'create'
  | 'write'
  | 'sync'
  | 'close'
  | 'rename'
  | 'sync folder'

/** The disk did not do what was asked of it. */
export function diskFailure(operation: StateOperation, path: string, cause: unknown) {
  const code = errnoOf(cause)
  const why =
    code === null ? (cause instanceof Error ? cause.message : quote(cause)) : errnoText(code)
  return new PersistenceError(
    'KRON_PERSISTENCE',
    `can't ${operation} ${quotePath(path)}: ${why}`,
    { field: 'state', value: path, operation, path, ...(code === null ? {} : { errno: code }) },
    { cause },
  )
}

/** A save after one that failed. */
export function refusal(first: PersistenceError, path: string): PersistenceError {
  return new PersistenceError(
    'KRON_PERSISTENCE',
    `${quotePath(path)} is not saved: the disk can't be trusted with state since ${first.message}`,
    { field: 'state', value: path, operation: 'save', path },
    { cause: first },
  )
}

/** Others could have written there what decides on executions. */
export function unsafe(path: string, found: string, allowed: string): PersistenceError {
  return new PersistenceError(
    'KRON_STATE_UNSAFE',
    `${quotePath(path)} must be ${allowed}, it is ${found}`,
    { field: 'state', value: found, allowed, path },
  )
}

export function attempt<T>(operation: StateOperation, path: string, call: () => T): T {
  try {
    return call()
  } catch (error) {
    throw diskFailure(operation, path, error)
  }
}

/** The file is whole, but does not say what we must know: nothing may be scheduled by it. */
export function incompatible(
  file: string,
  details: ErrorDetails & { readonly allowed: string; readonly advice?: string },
  cause?: unknown,
): IncompatibleStateError {
  const { field, value, allowed, advice } = details
  const end = advice === undefined ? '' : `: ${advice}`
  return new IncompatibleStateError(
    'KRON_STATE_INCOMPATIBLE',
    `state file ${quotePath(file)}: ${field} must be ${allowed}, got ${quote(value)}${end}`,
    { ...details, path: file },
    cause === undefined ? {} : { cause },
  )
}
