import type { FieldError } from '../../use-cases/index.js'
import type { ProblemCode } from './problem-codes.js'

interface ApiErrorDetails {
  readonly errors?: readonly FieldError[]
  readonly headers?: Readonly<Record<string, string>>
}

/** A request that failed before it came to a use case. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ProblemCode
  readonly errors: readonly FieldError[]
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ProblemCode, message: string, { errors, headers }: ApiErrorDetails = {}) {
    super(message)
    this.code = code
    this.errors = errors ?? []
    this.headers = headers ?? {}
  }
}

export function unauthenticated(message: string): ApiError {
  const headers = { 'www-authenticate': 'Bearer realm="kron"' }
  return new ApiError('unauthenticated', message, { headers })
}
