import { quote, suggestion } from '@kron/core'
import type { JsonSchema } from '../schema/json-schema.js'
import { type FieldPath, type Problem, problem } from './problem.js'

/** Text, numbers and booleans; a schema without a type checks of each kind what applies to it. */
export function scalarProblems(value: unknown, schema: JsonSchema, path: FieldPath): Problem[] {
  const said = flawOf(value, schema)
  if (said === null) return []
  return [problem(path, `${said}`, 'KRON_FIELD_INVALID')]
}

function flawOf(value: unknown, schema: JsonSchema): string | null {
  const got = `, got ${quote(value)}`
  const { type } = schema
  if (type !== undefined && !isOfType(value, type)) {
    return `must be ${typeNames[type]}${got}${isFreeText(schema) ? quotesHint(value) : ''}`
  }
  if (schema.enum !== undefined) {
    const allowed: readonly unknown[] = schema.enum
    if (!allowed.includes(value))
      return `must be ${choices(schema.enum)}${got}${hint(value, schema)}`
  }
  if (typeof value === 'string') return flawOfText(value, schema, got)
  return typeof value === 'number' ? flawOfNumber(value, schema, got) : null
}

const typeNames: Readonly<Record<NonNullable<JsonSchema['type']>, string>> = {
  object: 'an object',
  array: 'a list',
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
}

const isFreeText = (schema: JsonSchema): boolean =>
  schema.type === 'string' && !schema.enum && !schema['x-kubernetes-validations']

/** YAML takes 1 for a number and yes for a boolean, where people mean text. */
export const quotesHint = (value: unknown): string =>
  typeof value === 'number' || typeof value === 'boolean' ? `; in quotes it is: "${value}"` : ''

function isOfType(value: unknown, type: NonNullable<JsonSchema['type']>): boolean {
  if (type === 'integer') return Number.isSafeInteger(value)
  return typeof value === type
}

const choices = (names: readonly unknown[]): string =>
  names.length === 1 ? `${names[0]}` : `one of ${names.join(', ')}`

const hint = (value: unknown, schema: JsonSchema): string =>
  typeof value === 'string' ? suggestion(value, (schema.enum ?? []).map(String)) : ''

function flawOfText(value: string, schema: JsonSchema, got: string): string | null {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern } = schema
  const length = value.length <= maxLength ? value.length : [...value].length
  if (length > maxLength) return `must have at most ${maxLength} characters, got ${length}`
  if (length < minLength) return 'must not be empty'
  if (pattern === undefined || expression(pattern).test(value)) return null
  return `must match ${pattern}${got}`
}

function flawOfNumber(value: number, schema: JsonSchema, got: string): string | null {
  const { minimum = Number.NEGATIVE_INFINITY, exclusiveMinimum = false } = schema
  const { maximum = Number.POSITIVE_INFINITY } = schema
  if (exclusiveMinimum && value <= minimum) return `must be above ${minimum}${got}`
  if (value < minimum) return `must be at least ${minimum}${got}`
  return value > maximum ? `must be at most ${maximum}${got}` : null
}

const expressions = new Map<string, RegExp>()

function expression(pattern: string): RegExp {
  const known = expressions.get(pattern) ?? new RegExp(pattern, 'u')
  expressions.set(pattern, known)
  return known
}
