import { messageOf } from '@kron/runtime'
import { StoreError } from '../store.js'

/**
 * Deadlock, serialization failure, lock not available: nothing happened, try again. A unique index
 * that refuses is one of them: the name was free when it was looked for, and somebody took it in
 * the same moment. The next look finds it taken.
 */
const giveWay = new Set(['40P01', '40001', '55P03', '23505'])
const timeouts = new Set(['57014', '25P03', '57P05'])

/** Whether the database asked for another try. */
export function isGivingWay(error: unknown): boolean {
  const cause = error instanceof StoreError ? error.cause : error
  return giveWay.has(codeOf(cause) ?? '')
}

/** Whether a statement was sent, and nothing came back in time. */
export function isSilence(error: unknown): boolean {
  const cause = error instanceof StoreError ? error.cause : error
  return cause instanceof Error && cause.message === 'Query read timeout'
}

/** No connection could be had, for whatever reason: nothing was asked for. */
export function connectError(error: unknown): StoreError {
  return new StoreError('unavailable', textOf(error), 'no', { cause: error })
}

/**
 * A statement that failed, as the store reports it. `applied` is what is known about the
 * transaction if the connection failed.
 */
export function statementError(error: unknown, applied: 'no' | 'unknown'): unknown {
  if (error instanceof StoreError || isProgramError(error)) return error
  const message = textOf(error)
  const code = codeOf(error)
  if (code === undefined || !isSqlState(code) || isAboutConnection(code)) {
    return new StoreError('unavailable', message, applied, { cause: error })
  }
  if (giveWay.has(code)) return new StoreError('conflict', message, 'no', { cause: error })
  if (timeouts.has(code)) return new StoreError('timeout', message, 'no', { cause: error })
  return new StoreError('broken', message, 'no', { cause: error })
}

/**
 * The driver has many words for a connection that is lost, and most have no code. All it says that
 * does not come from the database is about the connection, but for values that can't be written.
 */
const isProgramError = (error: unknown): boolean =>
  error instanceof TypeError || error instanceof RangeError

/** System codes have five letters at times too, such as EPIPE. */
const isSqlState = (code: string): boolean => /^[0-9A-Z]{5}$/.test(code) && /\d/.test(code)

/** Classes 08 and 53 and the shutdowns of 57P0x are about the connection, not the statement. */
const isAboutConnection = (code: string): boolean => /^(08|53|57P0[1-4])/.test(code)

const textOf = (error: unknown): string => `PostgreSQL: ${messageOf(error)}`

function codeOf(error: unknown): string | undefined {
  const code = (error as { readonly code?: unknown } | null)?.code
  return typeof code === 'string' ? code : undefined
}
