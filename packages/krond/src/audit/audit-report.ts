import type { Outcome } from '../state/index.js'
import type { AuditRule } from './audit-rules.js'

export interface Violation {
  /** null when the log has no name. */
  readonly file: string | null
  /** Counted from 1 in its file. */
  readonly line: number
  /** null when the line has none. */
  readonly event: string | null
  readonly identity: string | null
  readonly period_id: string | null
  readonly rule: AuditRule
  readonly message: string
}

/** What a log was found to prove. */
export interface AuditReport {
  readonly lines: number
  /** How often the daemon ran, as far as the log tells. */
  readonly lives: number
  readonly jobs: number
  readonly decisions: {
    readonly recomputed: number
    /** Those that differ, but were made with another time zone database than ours. */
    readonly not_comparable: number
  }
  readonly executions: number
  readonly outcomes: Readonly<Record<Outcome, number>>
  /** Lines that a crash tore. */
  readonly torn: number
  readonly unknown_events: number
  /** Events about something before the first line, where the log does not have the lines before. */
  readonly unverified: number
  /** Lines that the log itself says were not written. */
  readonly dropped: number
  /** What could not be proved, in words; empty when all was. */
  readonly unproved: readonly string[]
  /** Which version of the time zone database recomputed the decisions. */
  readonly tzdata: string
  readonly violation_count: number
  /** Only those that were broken. */
  readonly violations_by_rule: Readonly<Partial<Record<AuditRule, number>>>
  /** The first of them, at most `maxViolations`. */
  readonly violations: readonly Violation[]
}

export const maxViolations = 10_000
