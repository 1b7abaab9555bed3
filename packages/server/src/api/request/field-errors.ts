import type { z } from '@hono/zod-openapi'
import { suggestion } from '@kron/core'
import type { FieldError } from '../../service/index.js'
import { ApiError } from '../problem/index.js'

type Issue = z.core.$ZodIssue

/** What is checked, and what an error of no field in it is said of. */
export type Whole = 'body' | 'query'

const mostErrors = 20

/** Checks a value by a schema; what is wrong with it becomes errors of its fields. */
export function parseBy<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  whole: Whole,
): z.output<Schema> {
  const result = schema.safeParse(value, { reportInput: true })
  if (result.success) return result.data
  const known = 'shape' in schema ? Object.keys(schema.shape as object) : []
  const errors = result.error.issues.flatMap((issue) => errorsOf(issue, whole, known))
  throw new ApiError('validation_failed', summary(errors), { errors: errors.slice(0, mostErrors) })
}

function summary(errors: readonly FieldError[]): string {
  const message = errors[0]?.message ?? 'invalid'
  return errors.length > 1 ? `${message} (and ${errors.length - 1} more)` : message
}

function errorsOf(issue: Issue, whole: Whole, known: readonly string[]): readonly FieldError[] {
  // A parameter of a query has no parts: that it is a list if it comes again is our own idea.
  const path = whole === 'query' ? issue.path.slice(0, 1) : issue.path
  const field = path.length === 0 ? whole : path.map(String).join('.')
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => unknownField(issue, key, known))
  }
  const missing = issue.code === 'invalid_type' && issue.input === undefined
  if (missing) return [{ field, code: 'required', message: `${field} is required` }]
  return [{ field, code: codeOf(issue), message: `${field}: ${issue.message}` }]
}

function unknownField(issue: Issue, key: string, known: readonly string[]): FieldError {
  const shown = key.slice(0, 100)
  const field = [...issue.path.map(String), shown].join('.')
  const hint = issue.path.length === 0 ? suggestion(shown, known) : ''
  return { field, code: 'unknown_field', message: `${field} is not known${hint}` }
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
