import { KronError } from '@kron/core'
import { type PlainValue, plainValue, unreadable } from './plain-value.js'

/** What was thrown, in words: anything can be thrown, and only errors have a message. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)

export interface FailureContext {
  /** Of the job concerned; a failure of the host as a whole has none. */
  readonly identity?: string | undefined
  readonly period_id?: string | undefined
  /** What was being done, as a short name: `write_state`, `start_process`. */
  readonly operation: string
}

type Fields = ReadonlyMap<string, PlainValue>

/**
 * What every error must log, in the order of the error model, then what else the log carries. The
 * identity is there even if it is not known. It and the period may also come from the details of
 * the error, since an error may be logged far from the code that knew them, or from the log.
 */
export function failureFields(error: unknown, context: FailureContext, inherited: Fields): Fields {
  const concerned = (name: 'identity' | 'period_id'): PlainValue | undefined =>
    read(() => context[name]) ?? read(() => detailOf(error, name)) ?? inherited.get(name)
  const contract: [string, PlainValue | undefined][] = [
    ['identity', concerned('identity') ?? null],
    ['period_id', concerned('period_id')],
    ['error_type', read(() => errorType(error)) || 'Error'],
    ['operation', read(() => context.operation) ?? 'unknown'],
    ['message', read(() => errorMessage(error)) ?? ''],
    ['code', read(() => errorCode(error))],
  ]
  const fields = new Map<string, PlainValue>()
  for (const [key, value] of contract) if (value !== undefined) fields.set(key, value)
  const contractKeys = new Set(contract.map(([key]) => key))
  for (const [key, value] of inherited) if (!contractKeys.has(key)) fields.set(key, value)
  return fields
}

/** An error may come from foreign code, and to read it may throw like anything else of it. */
function read(member: () => unknown): PlainValue | undefined {
  try {
    return plainValue(member())
  } catch {
    return unreadable
  }
}

function detailOf(error: unknown, name: string): unknown {
  const detail = error instanceof KronError ? error.details[name] : undefined
  return typeof detail === 'string' ? detail : undefined
}

function errorType(error: unknown): unknown {
  if (error instanceof KronError) return error.category
  if (error instanceof Error) return error.name
  return error === null ? 'null' : typeof error
}

function errorMessage(error: unknown): unknown {
  if (error instanceof Error) return error.message
  const plain = plainValue(error)
  return typeof plain === 'string' ? plain : String(JSON.stringify(plain))
}

function errorCode(error: unknown): unknown {
  return error instanceof Error ? (error as { code?: unknown }).code : undefined
}
