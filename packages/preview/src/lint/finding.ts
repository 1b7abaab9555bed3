import type { ErrorCategory, ErrorCode } from '@kron/core'
import { excerpt, type Style } from '@kron/runtime'

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

/** Without the line itself: readers of JSON have the file. */
export function findingJson({ source: _, ...finding }: Finding): object {
  return finding
}

/** Where something stands in a file: `length` characters (UTF-16) from a 1-based place. */
export interface Place {
  /** Absolute path of the file. */
  readonly file: string
  readonly line: number
  readonly column: number
  readonly length: number
  /** The whole line, to show it. */
  readonly source: string
}

/**
 * What lint warns of. As with errors, a code never changes its meaning and is never reused.
 */
export const warningCodes = {
  KRON_WARN_NEVER_ALLOWED: 'the constraints allow no second of any window that is still to come',
  KRON_WARN_UNSCHEDULABLE: 'the constraints leave so little of a window that periods may get lost',
  KRON_WARN_STEP_TOO_LARGE: 'a step is larger than its field and matches a single value',
  KRON_WARN_STEP_UNEVEN: 'a step does not divide its field, so that one gap is shorter',
  KRON_WARN_EITHER_DAY: 'both day fields are restricted, and a match of either is enough',
  KRON_WARN_CLOCK_CHANGE: 'the schedule lies in hours that the clock skips or repeats',
  KRON_WARN_OTHER_DAY: 'the window reaches into a day that the schedule does not name',
  KRON_WARN_RARE_DAY: 'the schedule names a day that not every month or year has',
  KRON_WARN_NO_EFFECT: 'a modifier has no effect without a window',
  KRON_WARN_SHELL_SYNTAX: 'a command is written for a shell, and no shell will read it',
  KRON_WARN_SAME_TIME: 'many jobs without a window start in the same second',
  KRON_WARN_CRONTAB: 'a crontab means something else to krond than to cron, or to some crons',
  KRON_WARN_REPLACE_DEADLINE: 'what is to be replaced has little time to end before the deadline',
  KRON_WARN_TEMPLATE_FIELD: 'a field of the template that only a newer Kubernetes can know',
} as const

export type WarningCode = keyof typeof warningCodes

const indent = '  '

/** `path:line:column: error: message [CODE]`, the line itself, a caret line, and what to do. */
export function findingLines(
  finding: Finding,
  path: string,
  columns: number,
  style: Style,
): string[] {
  const { severity, message, code, fix } = finding
  const place = style('strong', `${path}:${finding.line}:${finding.column}:`)
  const head = [place, style(severity, `${severity}:`), message, style('faint', `[${code}]`)].join(
    ' ',
  )
  const marked = excerpt(finding, columns - indent.length, style, severity)
  const shown = finding.source === '' ? [] : marked.map((line) => indent + line)
  return [head, ...shown, ...(fix === undefined ? [] : [`${indent}fix: ${fix}`])]
}
