import type { ErrorCategory, ErrorCode } from '@kron/core'
import type { Place } from '@kron/preview'

/** What keeps a job, or a whole file, from being used. */
export interface Problem extends Place {
  readonly code: ErrorCode
  readonly category: ErrorCategory
  readonly message: string
}
