import { KronError } from '../errors/index.js'
import type { Argument } from './modifier.js'
import type { Span } from './value.js'

/** The arguments of a text by the field that names them in errors, such as `@dist.shape`. */
export type Places = ReadonlyMap<string, Argument>

/**
 * Runs a check that knows fields but not the text they came from, and makes its errors point into
 * the text: at the key that is unknown, at the character of the value, or at the whole modifier.
 */
export function located<T>(text: string, places: Places, whole: Span, check: () => T): T {
  try {
    return check()
  } catch (error) {
    if (!(error instanceof KronError)) throw error
    const argument = places.get(error.details.field)
    const span = argument === undefined ? whole : spanOf(error, argument)
    throw withDetails(error, { ...placeOf(span), text })
  }
}

const aboutTheKey: readonly string[] = ['KRON_FIELD_UNKNOWN', 'KRON_PARAMETER_UNKNOWN']

function spanOf(error: KronError, { key, value }: Argument): Span {
  if (aboutTheKey.includes(error.code)) return key
  const { position, length } = error.details
  if (position === undefined) return value
  const end = position + (typeof length === 'number' ? length : 1)
  return { start: value.originOf(position), end: value.originOf(end) }
}

export function placeOf({ start, end }: Span): { position: number; length: number } {
  return { position: start, length: Math.max(1, end - start) }
}

/** The same error, of the same class: constructors differ, so its details are replaced in place. */
export function withDetails<E extends KronError>(error: E, more: object): E {
  const details = { ...error.details, ...more }
  return Object.defineProperty(error, 'details', { value: details })
}
