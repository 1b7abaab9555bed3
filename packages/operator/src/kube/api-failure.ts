import { SystemError } from '@kron/core'

export interface ApiFailureDetails {
  /** The HTTP status; null when no answer came, so that the request may have taken effect. */
  readonly status: number | null
  /** As the server's Status names it: `AlreadyExists`, `Conflict`, `Expired`, ... */
  readonly reason?: string | undefined
  /** From `Retry-After`. */
  readonly retryAfterMs?: number | undefined
  /** Causes in the server's Status, such as `NamespaceTerminating`. */
  readonly causes?: readonly string[] | undefined
  readonly cause?: unknown
}

/** The API server refused, could not, or did not answer. */
export class ApiFailure extends SystemError {
  readonly status: number | null
  readonly reason: string
  readonly retryAfterMs: number | null
  readonly causes: readonly string[]

  constructor(message: string, details: ApiFailureDetails) {
    const { status, reason = '', retryAfterMs = null, causes = [], cause } = details
    super('KRON_API', message, { field: 'request', status, reason }, { cause })
    this.status = status
    this.reason = reason
    this.retryAfterMs = retryAfterMs
    this.causes = causes
  }

  /** Nobody knows whether the request took effect. */
  get isAmbiguous(): boolean {
    return this.status === null || this.status === 504
  }
}

export function hasStatus(error: unknown, ...statuses: readonly number[]): boolean {
  return error instanceof ApiFailure && error.status !== null && statuses.includes(error.status)
}
