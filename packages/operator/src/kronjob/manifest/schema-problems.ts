import { nearest, quote, suggestion } from '@kron/core'
import { isRecord, type JsonRecord } from '../json-record.js'
import type { JsonSchema } from '../schema/json-schema.js'
import { type FieldPath, type Problem, problem } from './problem.js'
import { scalarProblems } from './scalar-problems.js'

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
