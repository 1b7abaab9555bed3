import type { ErrorCategory, ErrorCode } from '@kron/core'
import type { Place } from './place.js'
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

/** A warning about a place. */
export function warningAt(place: Place, code: WarningCode, message: string, fix?: string): Finding {
  return { ...place, severity: 'warning', code, message, ...(fix !== undefined && { fix }) }
}

export const countOf = (findings: readonly Finding[], severity: Finding['severity']): number =>
  findings.filter((finding) => finding.severity === severity).length

/** The line itself is left out: whoever reads JSON has the file. */
export function findingJson({ source: _, ...finding }: Finding): object {
  return finding
}
