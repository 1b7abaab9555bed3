import { StoreError } from '../store-error.js'

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

/**
 * Errors of the database as the store reports them. What the work itself threw is passed on.
 * `applied` is what is known about the transaction when the connection failed.
 */
export function storeError(error: unknown, applied: 'no' | 'unknown'): unknown {
  if (error instanceof StoreError) return error
  const code = codeOf(error)
  const message = `PostgreSQL: ${(error as Error)?.message ?? String(error)}`
  if (isConnectionError(error, code)) {
    return new StoreError('unavailable', message, applied, { cause: error })
  }
  if (code === undefined) return error
  if (giveWay.has(code)) return new StoreError('conflict', message, 'no', { cause: error })
  if (timeouts.has(code)) return new StoreError('timeout', message, 'no', { cause: error })
  if (/^[0-9A-Z]{5}$/.test(code)) return new StoreError('broken', message, 'no', { cause: error })
  return error
}

const systemCodes = /^(ECONN|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)/
const connectionTexts =
  /Connection terminated|timeout expired|Query read timeout|not queryable|Client has encountered/

/** Classes 08 and 53 and the shutdowns of 57P0x are about the connection, not the statement. */
function isConnectionError(error: unknown, code: string | undefined): boolean {
  if (code !== undefined && (/^(08|53|57P0[1-4])/.test(code) || systemCodes.test(code))) return true
  return error instanceof Error && connectionTexts.test(error.message)
}

function codeOf(error: unknown): string | undefined {
  const code = (error as { readonly code?: unknown } | null)?.code
  return typeof code === 'string' ? code : undefined
}
