import { ConfigurationError, nearest, quote, suggestion } from '../errors/index.js'
import { invalid, unreadable } from './flaw.js'

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
