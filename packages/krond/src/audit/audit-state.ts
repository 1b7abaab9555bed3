import type { Findings } from './findings.js'
import type { Life, LifeEnd } from './life.js'
import type { Obligations } from './obligations.js'

/** What an audit knows of the daemon as a whole, at the line it is at. */
export interface AuditState {
  readonly findings: Findings
  readonly obligations: Obligations
  life: Life
  /** Null in the first life of the log. */
  before: LifeEnd | null
}
