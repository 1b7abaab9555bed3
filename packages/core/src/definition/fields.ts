import { durationOf, formatDuration } from '../duration/index.js'
import { ConfigurationError, type ErrorCode, nearest, quote, suggestion } from '../errors/index.js'
import { invalid, outOfRange, unreadable } from './flaw.js'

/** The fields of one level of the input that were given, each read exactly once. */
export type Fields = ReadonlyMap<string, unknown>

/** Reads the own fields of an object. A missing object has no fields, unknown ones are refused. */
export function readFields(input: unknown, field: string, known: readonly string[]): Fields {
  const fields = readAnyFields(input, field)
  for (const name of fields.keys()) {
    if (!known.includes(name)) throw unknownField(name, field, known)
  }
  return fields
}

export function readAnyFields(input: unknown, field: string): Fields {
  const fields = new Map<string, unknown>()
  if (input === undefined) return fields
  if (input === null || typeof input !== 'object') {
    throw invalid('KRON_FIELD_INVALID', field, input, 'an object')
  }
  let isList: boolean
  try {
    isList = Array.isArray(input)
    if (!isList) {
      for (const name of Object.keys(input)) fields.set(name, (input as Fieldwise)[name])
    }
  } catch (error) {
    throw unreadable(field, error)
  }
  if (isList) throw invalid('KRON_FIELD_INVALID', field, input, 'an object')
  return fields
}

type Fieldwise = Readonly<Record<string, unknown>>

/** The value of a field that has no default. */
export function required(fields: Fields, name: string): unknown {
  const value = fields.get(name)
  if (value !== undefined) return value
  throw new ConfigurationError('KRON_FIELD_MISSING', `${name} is required and missing`, {
    field: name,
    allowed: `a value for ${name}`,
  })
}

/** The input as a whole has no name in the paths of its fields. */
export const wholeInput = 'definition'

function unknownField(name: string, parent: string, known: readonly string[]): ConfigurationError {
  const field = parent === wholeInput ? name : `${parent}.${name}`
  const allowed = known.join(', ')
  return new ConfigurationError(
    'KRON_FIELD_UNKNOWN',
    `unknown field ${quote(field)}, known are ${allowed}${suggestion(name, known)}`,
    { field, value: name, allowed, nearest: nearest(name, known) },
  )
}

/** One of some names; a missing value is the first of them. */
export function choice<Name extends string>(
  value: unknown,
  field: string,
  names: readonly [Name, ...Name[]],
  code: ErrorCode,
): Name {
  if (value === undefined) return names[0]
  const found = names.find((name) => name === value)
  if (found !== undefined) return found
  const hint = typeof value === 'string' ? suggestion(value, names) : ''
  throw invalid(code, field, value, `one of ${names.join(', ')}`, hint)
}

/** A duration of at most `most` milliseconds; none is zero. */
export function boundedDuration(value: unknown, field: string, most: number): number {
  const duration = value === undefined ? 0 : durationOf(value, field)
  if (duration <= most) return duration
  throw outOfRange('KRON_DURATION_TOO_LONG', field, value, `at most ${formatDuration(most)}`)
}

/** Throws unless a text has an UTF-8 form, which is what gets hashed, of at most `most` bytes. */
export function checkUnicode(text: string, field: string, most: number, code: ErrorCode): void {
  // No UTF-16 unit takes less than one byte: what is too long already is not worth a walk.
  const bytes = text.length > most ? text.length : utf8Length(text)
  if (bytes < 0) {
    throw outOfRange(code, field, text, 'well-formed Unicode without lone surrogates')
  }
  if (bytes > most) throw outOfRange(code, field, text, `at most ${most} bytes of UTF-8`)
}

/** Bytes of the UTF-8 form, or -1 when a surrogate stands alone. */
function utf8Length(text: string): number {
  let bytes = 0
  for (const character of text) {
    const point = character.codePointAt(0)!
    if (point >= 0xd800 && point <= 0xdfff) return -1
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4
  }
  return bytes
}
