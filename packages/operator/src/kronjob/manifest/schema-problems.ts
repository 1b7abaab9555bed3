import { nearest, quote, suggestion } from '@kron/core'
import { isRecord, type JsonRecord, type JsonSchema } from '../schema/json-schema.js'
import { type FieldPath, type Problem, problem } from './problem.js'

/** All that an API server would say against a value, and fields that it would drop in silence. */
export function schemaProblems(value: unknown, schema: JsonSchema, path: FieldPath): Problem[] {
  if (schema.type === 'object') return objectProblems(value, schema, path)
  if (schema.type === 'array') return listProblems(value, schema, path)
  return scalarProblems(value, schema, path)
}

function objectProblems(value: unknown, schema: JsonSchema, path: FieldPath): Problem[] {
  if (!isRecord(value)) return [wrongType(value, 'an object', path)]
  const { properties = {}, required = [] } = schema
  const missing = required.filter((name) => value[name] === undefined)
  const found = missing.map((name) => missingField(name, value, schema, path))
  for (const [name, item] of Object.entries(value)) {
    const known = Object.hasOwn(properties, name) ? properties[name] : schema.additionalProperties
    if (item === undefined) continue
    const place = [...path, name]
    if (known !== undefined) found.push(...schemaProblems(item, known, place))
    else if (!isOpen(schema)) found.push(unknownField(name, properties, place))
  }
  return found
}

/** An object of which nothing is said, such as `metadata`, may hold anything. */
function isOpen(schema: JsonSchema): boolean {
  return schema['x-kubernetes-preserve-unknown-fields'] === true || schema.properties === undefined
}

/** A field that is missing is often there under a name that is nearly the same. */
function missingField(
  name: string,
  value: JsonRecord,
  { properties = {} }: JsonSchema,
  path: FieldPath,
): Problem {
  const others = Object.keys(value).filter((other) => !Object.hasOwn(properties, other))
  const [typed] = nearest(name, others, 1)
  const hint = typed === undefined ? '' : `; is ${quote(typed)} meant to be it?`
  return problem([...path, name], `is required and missing${hint}`, 'KRON_FIELD_MISSING')
}

function unknownField(
  name: string,
  properties: Readonly<Record<string, JsonSchema>>,
  path: FieldPath,
): Problem {
  const known = Object.keys(properties)
  const hint = suggestion(name, known) || `; known are ${known.join(', ')}`
  return problem(path, `is an unknown field${hint}`, 'KRON_FIELD_UNKNOWN')
}

function listProblems(value: unknown, schema: JsonSchema, path: FieldPath): Problem[] {
  if (!Array.isArray(value)) return [wrongType(value, 'a list', path)]
  const { items, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema
  const found: Problem[] = []
  if (value.length < minItems) found.push(wrongLength(`at least ${minItems}`, value, path))
  if (value.length > maxItems) found.push(wrongLength(`at most ${maxItems}`, value, path))
  if (items === undefined) return found
  const seen = value.slice(0, maxItems)
  return [...found, ...seen.flatMap((item, index) => schemaProblems(item, items, [...path, index]))]
}

function wrongLength(allowed: string, list: readonly unknown[], path: FieldPath): Problem {
  return problem(path, `must have ${allowed} items, got ${list.length}`, 'KRON_FIELD_INVALID')
}

function wrongType(value: unknown, allowed: string, path: FieldPath): Problem {
  return problem(path, `must be ${allowed}, got ${quote(value)}`, 'KRON_FIELD_INVALID')
}

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
