import type { z } from '@hono/zod-openapi'
import { suggestion } from '@kron/core'
import type { FieldError } from '../../use-cases/index.js'
import { ApiError } from '../problem.js'

type Issue = z.core.$ZodIssue

/** What is checked. An error that belongs to no field names it instead. */
export type Whole = 'body' | 'query'

const maxErrors = 20

/** Checks a value by a schema; what is wrong with it becomes errors of its fields. */
export function parseBy<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  whole: Whole,
): z.output<Schema> {
  const result = schema.safeParse(value, { reportInput: true })
  if (result.success) return result.data
  const { issues } = result.error
  const known = 'shape' in schema ? Object.keys(schema.shape as object) : []
  const errors = firstErrors(issues, whole, known)
  throw new ApiError('validation_failed', summary(errors, countOf(issues)), { errors })
}

function summary(errors: readonly FieldError[], count: number): string {
  const message = errors[0]?.message ?? 'invalid'
  return count > 1 ? `${message} (and ${count - 1} more)` : message
}

function countOf(issues: readonly Issue[]): number {
  return issues.reduce((sum, issue) => sum + flawsOf(issue).length, 0)
}

/** Unknown fields of one object are one issue, and an error for each. */
function flawsOf(issue: Issue): readonly (string | null)[] {
  return issue.code === 'unrecognized_keys' ? issue.keys : [null]
}

/** No more than are shown, since each costs something and a request may have thousands. */
function firstErrors(
  issues: readonly Issue[],
  whole: Whole,
  known: readonly string[],
): readonly FieldError[] {
  const errors: FieldError[] = []
  for (const issue of issues) {
    for (const key of flawsOf(issue)) {
      if (errors.length === maxErrors) return errors
      errors.push(key === null ? errorOf(issue, whole) : unknownField(issue, key, whole, known))
    }
  }
  return errors
}

function errorOf(issue: Issue, whole: Whole): FieldError {
  // A parameter of a query has no parts: that it is a list if it comes again is our own idea.
  const path = whole === 'query' ? issue.path.slice(0, 1) : issue.path
  const field = fieldPath(path, whole)
  const missing = issue.code === 'invalid_type' && issue.input === undefined
  if (missing) return { field, code: 'required', message: `${field} is required` }
  const position = issue.code === 'custom' ? issue.params?.['position'] : undefined
  return {
    field,
    code: codeOf(issue),
    message: `${field}: ${issue.message}`,
    ...(typeof position === 'number' && { position }),
  }
}

function unknownField(
  issue: Issue,
  key: string,
  whole: Whole,
  known: readonly string[],
): FieldError {
  const field = fieldPath([...issue.path, key], whole)
  const hint = issue.path.length === 0 ? suggestion(field, known) : ''
  return { field, code: 'unknown_field', message: messageOfUnknown(key, field, hint) }
}

function messageOfUnknown(key: string, field: string, hint: string): string {
  if (key === '') return `${field} has a field without a name`
  return `${field} is not known${hint}`
}

const codes: Readonly<Partial<Record<Issue['code'], string>>> = {
  invalid_type: 'wrong_type',
  too_small: 'out_of_range',
  too_big: 'out_of_range',
  not_multiple_of: 'out_of_range',
  invalid_format: 'invalid_format',
  invalid_value: 'invalid_choice',
  invalid_union: 'wrong_type',
  invalid_key: 'invalid_format',
}

function codeOf(issue: Issue): string {
  const own = issue.code === 'custom' ? issue.params?.['code'] : undefined
  return typeof own === 'string' ? own : (codes[issue.code] ?? 'invalid')
}

const longestName = 100
const longestPath = 400

/** Deep in hostile input a whole path would be longer than the input. */
export function fieldWithin(field: string, name: PropertyKey): string {
  const shown = String(name).slice(0, longestName)
  if (field === '' || shown === '') return field + shown
  return `${field}.${shown}`.slice(0, longestPath)
}

/** The name of a field by the way to it; `whole` if it has none. */
export function fieldPath(path: readonly PropertyKey[], whole: string): string {
  return path.reduce(fieldWithin, '') || whole
}
