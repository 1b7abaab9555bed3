import type { ErrorCategory, ErrorCode } from '@kron/core'
import type { Place, Problem } from '../krontab/index.js'
import type { WarningCode } from './warning-codes.js'

/** An error or a warning about a place. */
export interface Finding extends Place {
  readonly severity: 'error' | 'warning'
  readonly code: ErrorCode | WarningCode
  /** Of errors. */
  readonly category?: ErrorCategory
  readonly message: string
  /** What to do about it. */
  readonly fix?: string
}

export function findingOf(problem: Problem): Finding {
  return { ...problem, severity: 'error' }
}
