import { ApiError } from '../problem.js'
import { fieldPath } from './field-errors.js'
import { isText } from './json-limits.js'

const maxValues = 100

/** The query as an object: text where a name comes once, a list where it comes again. */
export function readQuery(url: string): Readonly<Record<string, string | readonly string[]>> {
  const query: Record<string, string | string[]> = Object.create(null)
  const parameters = [...new URL(url).searchParams]
  if (parameters.length > maxValues) throw tooMany()
  for (const [name, value] of parameters) {
    if (!isText(name) || !isText(value)) throw notText(name)
    const before = query[name]
    if (before === undefined) query[name] = value
    else query[name] = Array.isArray(before) ? [...before, value] : [before, value]
  }
  return { ...query }
}

function tooMany(): ApiError {
  const message = `the query has more than ${maxValues} parameters`
  const errors = [{ field: 'query', code: 'too_many', message }]
  return new ApiError('validation_failed', message, { errors })
}

function notText(name: string): ApiError {
  const field = isText(name) ? fieldPath([name], 'query') : 'query'
  const message = `${field} must be well-formed Unicode without the character U+0000`
  const errors = [{ field, code: 'text_invalid', message }]
  return new ApiError('validation_failed', message, { errors })
}
