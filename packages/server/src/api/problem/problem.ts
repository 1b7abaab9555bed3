import { KronError } from '@kron/core'
import { StoreError } from '../../store/index.js'
import { type FieldError, Refusal } from '../../use-cases/index.js'
import { ApiError } from './api-error.js'
import { type ProblemCode, problemCodes } from './problem-codes.js'

export const problemType = 'application/problem+json'

/** RFC 9457. */
export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly code: ProblemCode
  readonly detail: string
  /** The first of `errors`, for those who want one only. */
  readonly field?: string
  readonly errors?: readonly FieldError[]
  readonly requestId: string
}

export interface ProblemAnswer {
  readonly problem: Problem
  readonly headers: Readonly<Record<string, string>>
  /** Nobody meant this to happen: it is to be logged. */
  readonly unexpected: boolean
}

/** What is told about an error. Of those that nobody expected that is nothing but the request. */
export function problemOf(error: unknown, requestId: string): ProblemAnswer {
  const { code, detail, errors, headers, unexpected } = described(error)
  const { status, title } = problemCodes[code]
  const [first] = errors
  const problem: Problem = {
    type: `urn:kron:problem:${code}`,
    title,
    status,
    code,
    detail,
    ...(first !== undefined && { field: first.field, errors }),
    requestId,
  }
  return { problem, headers: { 'content-type': problemType, ...headers }, unexpected }
}

interface Described {
  readonly code: ProblemCode
  readonly detail: string
  readonly errors: readonly FieldError[]
  readonly headers: Readonly<Record<string, string>>
  readonly unexpected: boolean
}

function described(error: unknown): Described {
  const expected = { errors: [], headers: {}, unexpected: false }
  if (error instanceof Refusal) {
    return { ...expected, code: error.code, detail: error.message, errors: error.errors }
  }
  if (error instanceof ApiError) {
    const { code, errors, headers } = error
    return { ...expected, code, detail: error.message, errors, headers }
  }
  if (error instanceof KronError) {
    const { code, message, details } = error
    const errors = [{ field: details.field, code, message }]
    return { ...expected, code: 'validation_failed', detail: message, errors }
  }
  if (error instanceof StoreError) {
    const detail = 'The database did not answer as it should. Try again in a moment.'
    const headers = { 'retry-after': '1' }
    return { ...expected, code: 'store_unavailable', detail, headers, unexpected: true }
  }
  const detail = 'It has been logged under the id of this request.'
  return { ...expected, code: 'internal', detail, unexpected: true }
}
