import { type ErrorCode, suggestion } from '../errors/index.js'
import { invalid } from './flaw.js'

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
