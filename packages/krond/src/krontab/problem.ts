import type { ErrorCategory, ErrorCode } from '@kron/core'

/** Where something stands in a krontab: `length` characters (UTF-16) from a 1-based place. */
export interface Place {
  /** Absolute path of the file. */
  readonly file: string
  readonly line: number
  readonly column: number
  readonly length: number
  /** The whole line, to show it. */
  readonly source: string
}

/** What keeps a job, or a whole file, from being used. */
export interface Problem extends Place {
  readonly code: ErrorCode
  readonly category: ErrorCategory
  readonly message: string
}
