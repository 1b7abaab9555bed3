import type { Findings } from './findings.js'

/** What an audit knows of the daemon as a whole, at the line it is at. */
export interface AuditState {
  readonly findings: Findings
  /** Counted from 1; 0 before the first `start`, in a log that begins in the middle of a life. */
  life: number
  stopped: boolean
  /** The time zone database of this life; null when it is not known. */
  tzdata: string | null
}
