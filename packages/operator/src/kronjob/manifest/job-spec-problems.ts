import { nearest, quote, suggestion } from '@kron/core'
import type { Field, FieldType, ScalarName } from '../job-spec/job-spec-table.js'
import { jobSpecTable, kubernetesVersion } from '../job-spec/job-spec-table.js'
import { isRecord, type JsonRecord } from '../schema/json-schema.js'
import { type FieldPath, type Problem, problem } from './problem.js'
import { quotesHint } from './schema-problems.js'

/**
 * What an API server would have against a JobSpec, as far as its types can tell: fields that it
 * does not know, types, choices, amounts. A null is as good as nothing, as for the server.
 */
export function jobSpecProblems(spec: unknown, path: FieldPath): Problem[] {
  return valueProblems(spec, { kind: 'object', name: 'JobSpec' }, path)
}

function valueProblems(value: unknown, type: FieldType, path: FieldPath): Problem[] {
  if (value === null || value === undefined) return []
  switch (type.kind) {
    case 'object':
      return objectProblems(value, type.name, path)
    case 'list':
      return listProblems(value, type, path)
    case 'map':
      if (!isRecord(value)) return [wrong(path, 'an object', value)]
      return Object.entries(value).flatMap(([key, item]) =>
        valueProblems(item, type.of, [...path, key]),
      )
    case 'choice':
      return choiceProblems(value, type.choices, path)
    case 'scalar':
      return scalarProblems(value, type.name, path)
  }
}

function objectProblems(value: unknown, name: string, path: FieldPath): Problem[] {
  if (!isRecord(value)) return [wrong(path, 'an object', value)]
  const fields = jobSpecTable().get(name)
  if (fields === undefined || fields.size === 0) return []
  const found = Object.entries(value).flatMap(([key, item]) => {
    const field = fields.get(key)
    if (field === undefined) return [unknownField(key, fields, [...path, key])]
    return valueProblems(item, field.type, [...path, key])
  })
  return [...missingFields(value, fields, path), ...found]
}

/** A newer Kubernetes may know it, unless it looks like a slip. */
function unknownField(name: string, fields: ReadonlyMap<string, Field>, path: FieldPath): Problem {
  const hint = suggestion(name, fields.keys())
  const text = `is unknown to Kubernetes ${kubernetesVersion}${hint}`
  const found = problem(path, text, 'KRON_FIELD_UNKNOWN')
  return hint === '' ? { ...found, isDoubtful: true } : found
}

/** A field that is missing is often there under a name that is nearly the same. */
function missingFields(
  value: JsonRecord,
  fields: ReadonlyMap<string, Field>,
  path: FieldPath,
): Problem[] {
  const missing = [...fields].filter(
    ([name, { isRequired }]) => isRequired && (value[name] ?? null) === null,
  )
  const unknown = Object.keys(value).filter((name) => !fields.has(name))
  return missing
    .filter(([name]) => nearest(name, unknown, 1).length === 0)
    .map(([name]) => problem([...path, name], 'is required and missing', 'KRON_FIELD_MISSING'))
}

function listProblems(
  value: unknown,
  { of, keys }: Extract<FieldType, { kind: 'list' }>,
  path: FieldPath,
): Problem[] {
  if (!Array.isArray(value)) return [wrong(path, 'a list', value)]
  const found = value.flatMap((item: unknown, index) => valueProblems(item, of, [...path, index]))
  return keys.length === 0 ? found : [...found, ...repeated(value, keys, path)]
}

/** A KronJob has each once, so that those who apply parts of it can be merged. */
function repeated(list: readonly unknown[], keys: readonly string[], path: FieldPath): Problem[] {
  const seen = new Set<string>()
  return list.flatMap((item, index) => {
    if (!isRecord(item) || typeof item[keys[0]!] === 'undefined') return []
    const values = keys.map((key) => item[key] ?? (key === 'protocol' ? 'TCP' : null))
    const id = JSON.stringify(values)
    const isRepeated = seen.has(id)
    seen.add(id)
    if (!isRepeated) return []
    const first = quote(values[0])
    return [problem([...path, index, keys[0]!], `is ${first} again`, 'KRON_FIELD_REPEATED')]
  })
}

function choiceProblems(value: unknown, choices: readonly string[], path: FieldPath): Problem[] {
  if (typeof value === 'string' && choices.includes(value)) return []
  const allowed = `one of ${choices.filter((choice) => choice !== '').join(', ')}`
  const hint = typeof value === 'string' ? suggestion(value, choices) : ''
  return [wrong(path, allowed, value, hint)]
}

const scalars: Readonly<Record<ScalarName, readonly [string, (value: unknown) => boolean]>> = {
  string: ['text', (value) => typeof value === 'string'],
  Time: ['text', (value) => typeof value === 'string'],
  integer: ['a whole number', (value) => Number.isSafeInteger(value)],
  number: ['a number', (value) => typeof value === 'number'],
  boolean: ['true or false', (value) => typeof value === 'boolean'],
  IntOrString: [
    'a whole number or text',
    (value) => typeof value === 'string' || Number.isSafeInteger(value),
  ],
  Quantity: ['an amount such as 500m, 2 or 1Gi', isQuantity],
}

function scalarProblems(value: unknown, name: ScalarName, path: FieldPath): Problem[] {
  const [allowed, isRight] = scalars[name]
  return isRight(value) ? [] : [wrong(path, allowed, value, scalarHint(value, name))]
}

function scalarHint(value: unknown, name: ScalarName): string {
  if (name === 'string') return quotesHint(value)
  const near = name === 'Quantity' && typeof value === 'string' ? nearQuantity(value) : null
  return near === null ? '' : `; did you mean ${near}?`
}

const wrong = (path: FieldPath, allowed: string, value: unknown, hint = ''): Problem =>
  problem(path, `must be ${allowed}, got ${quote(value)}${hint}`, 'KRON_FIELD_INVALID')

const sign = '[+-]?'
const digits = '([0-9]+(\\.[0-9]*)?|\\.[0-9]+)'
const units = '([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?'
const quantity = new RegExp(`^${sign}${digits}${units}$`)

/** As Kubernetes writes amounts: 500m, 1.5, 2Gi. A number is one as well. */
function isQuantity(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && quantity.test(value))
}

/** What was probably meant: units of other programs, and other cases. */
export function nearQuantity(text: string): string | null {
  const [, amount, unit] = /^([0-9.]+) *([a-zA-Z]+)$/.exec(text) ?? []
  const first = unit?.charAt(0)
  if (first === undefined || !/^[kmgtpe]i?b?(ytes?)?$/i.test(unit!)) return null
  const binary = `${amount}${first.toUpperCase()}i`
  const decimal = `${amount}${first.toLowerCase() === 'k' ? 'k' : first.toUpperCase()}`
  return /^.i/i.test(unit!) ? binary : `${binary} or ${decimal}`
}
