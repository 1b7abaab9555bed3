import { KronError } from '@kron/core'
import { StoreError } from '../store/index.js'
import { type FieldError, Refusal, type RefusalCode } from '../use-cases/index.js'

interface ProblemKind {
  readonly status: number
  readonly title: string
}

/** Every way in which a request fails. A code never changes its meaning and is never reused. */
export const problemCodes = {
  validation_failed: { status: 400, title: 'A field has a value that is not allowed' },
  json_invalid: { status: 400, title: 'The body is not JSON' },
  request_invalid: { status: 400, title: 'The request is malformed' },
  unauthenticated: { status: 401, title: 'No valid API key or session was given' },
  scope_missing: { status: 403, title: 'The API key may not do this' },
  csrf_invalid: { status: 403, title: 'The header with the token of the session is missing' },
  quota_exceeded: { status: 403, title: 'A quota of the tenant is used up' },
  system_quota_exceeded: {
    status: 403,
    title: 'A quota of all tenants together is used up',
  },
  tenant_suspended: { status: 403, title: 'The operator has suspended the tenant' },
  signup_full: { status: 403, title: 'The server accepts no more tenants' },
  not_found: { status: 404, title: 'The resource does not exist' },
  method_not_allowed: { status: 405, title: 'The path exists, but not with this method' },
  request_timeout: { status: 408, title: 'The request did not arrive in time' },
  name_taken: { status: 409, title: 'The name is in use' },
  job_archived: { status: 409, title: 'The job is archived' },
  endpoint_archived: { status: 409, title: 'The endpoint is archived' },
  endpoint_deleted: { status: 409, title: 'The endpoint has been deleted' },
  run_already_requested: { status: 409, title: 'A requested run is waiting already' },
  run_ended: { status: 409, title: 'The run has ended' },
  last_admin_key: {
    status: 409,
    title: 'The last key with the scope admin that does not expire can not be revoked',
  },
  secret_in_use: { status: 409, title: 'The secret is in use' },
  precondition_failed: { status: 412, title: 'The resource was changed in the meantime' },
  payload_too_large: { status: 413, title: 'The body is too large' },
  media_type_unsupported: { status: 415, title: 'The body must be JSON' },
  expectation_failed: {
    status: 417,
    title: 'The expectation in the header Expect is not supported',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'The idempotency key was used for another request',
  },
  rate_limited: { status: 429, title: 'Too many requests' },
  too_many_streams: { status: 429, title: 'Too many event streams are open' },
  headers_too_large: { status: 431, title: 'The headers are too large' },
  internal: { status: 500, title: 'The server failed to handle the request' },
  store_unavailable: { status: 503, title: 'The database can not be reached' },
} as const satisfies Readonly<Record<string, ProblemKind>> & Record<RefusalCode, ProblemKind>

export type ProblemCode = keyof typeof problemCodes

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

/** What an answer says of an error: of an unexpected one nothing but the id of the request. */
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
  const detail = 'The log of the server has the error under the id of this request.'
  return { ...expected, code: 'internal', detail, unexpected: true }
}
