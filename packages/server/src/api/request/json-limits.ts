import type { FieldError } from '../../service/index.js'
import type { ApiLimits } from '../api-options.js'

/** The first thing that makes a JSON value unfit to be looked at, or null. */
export function jsonLimitBroken(
  value: unknown,
  limits: Pick<ApiLimits, 'jsonDepth' | 'jsonItems'>,
): FieldError | null {
  return broken(value, '', 1, limits)
}

function broken(
  value: unknown,
  field: string,
  depth: number,
  limits: Pick<ApiLimits, 'jsonDepth' | 'jsonItems'>,
): FieldError | null {
  if (typeof value === 'string') return isText(value) ? null : notText(field)
  if (typeof value !== 'object' || value === null) return null
  const { jsonDepth, jsonItems } = limits
  if (depth > jsonDepth) {
    return flaw(field, 'too_deep', `is nested deeper than ${jsonDepth} levels`)
  }
  const entries = Object.entries(value)
  if (entries.length > jsonItems) {
    return flaw(field, 'too_many', `has more than ${jsonItems} items`)
  }
  for (const [name, item] of entries) {
    if (!isText(name)) return notText(field)
    // No schema has it, and it would reach through to every object.
    if (name === '__proto__') return flaw(within(field, name), 'unknown_field', 'is not known')
    const found = broken(item, within(field, name), depth + 1, limits)
    if (found !== null) return found
  }
  return null
}

const loneSurrogate = /\p{Surrogate}/u

/** No database keeps these: they would come back changed or not at all. */
export function isText(text: string): boolean {
  return !loneSurrogate.test(text) && !text.includes('\0')
}

const notText = (field: string): FieldError =>
  flaw(field, 'text_invalid', 'must be well-formed Unicode without the character U+0000')

function within(field: string, name: string): string {
  // Deep in hostile input a whole path would be longer than the input.
  return field === '' ? name.slice(0, 100) : `${field}.${name.slice(0, 100)}`.slice(0, 400)
}

const flaw = (field: string, code: string, what: string): FieldError => ({
  field: field === '' ? 'body' : field,
  code,
  message: `${field === '' ? 'body' : field} ${what}`,
})
