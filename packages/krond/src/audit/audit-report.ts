import type { Outcome } from '../state/index.js'

/** What a log proves when it has no violation. Names are stable: programs may filter by them. */
export const auditRules = {
  line: 'every line is a JSON event, except one that a crash tore',
  shape: 'every known event has its fields, each in its one form',
  time_order: 'no line is earlier than the one before, unless the clock was set back',
  clock: 'every jump of the clock adds up, and after one back every job is planned again',
  schedule: 'the schedule text of every decision can be read',
  tzdata: 'every decision was made with the time zone database that its daemon began with',
  period: 'every decision is about a period of its schedule',
  next_period: 'every decision is about the period that comes next',
  recomputed: 'every decision is what identity, schedule and period give',
  window: 'every chosen time is within its window',
  jobs: 'the log shows as many jobs as a start, a reload and a stop have',
  replanned: 'no period is planned again without a reload or a jump of the clock',
  unplanned: 'every job has its next period planned, or a reason why it has none',
  unhandled: 'every period whose time came while krond lived has its verdict',
  unfinished: 'every verdict is followed by its outcome',
  undecided: 'nothing is triggered or handled without a decision before',
  untriggered: 'nothing is started or handled without a trigger before',
  retriggered: 'nothing is triggered again unless it was put off',
  rescheduled: 'nothing is put off without a reason, or to another time than that reason gives',
  lateness: 'every trigger is as late as it says, and has a reason if it is late',
  verdict: 'every verdict is what the policy says, and every outcome what its verdict announced',
  executed_twice: 'no period is executed more than once',
  handled_twice: 'no period is handled more than once',
  outcome_changed: 'no outcome of a period changes',
  out_of_order: 'no period is handled after a later one',
  too_early: 'nothing is triggered or started before its chosen time',
  past_deadline: 'nothing is triggered or started after its deadline',
  missed_early: 'nothing is missed before its deadline',
  not_responsible: 'nothing is handled for a time before krond was responsible for the job',
  policy: 'nothing is skipped or replaced unless the policy says so',
  concurrency: 'no execution starts beside another one that forbids it',
  replaced: 'every execution that a start replaced has one line that says so',
  unaccounted: 'no job is taken up while an execution of an earlier life was left without an end',
  suspended: 'nothing that is suspended is triggered',
  unschedulable: 'a period is unschedulable exactly when no time could be chosen',
  unknown_execution: 'only executions that started end, time out or are recovered',
  exit_code: 'every execution that was watched from its start ends with its exit code',
  duration: 'every execution lasted from its start to its end, and timed out no sooner',
  running: 'as many executions run when the daemon stops as it says',
  after_stop: 'nothing is planned or triggered after the daemon stopped',
} as const

export type AuditRule = keyof typeof auditRules

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
  /** How often the daemon ran, as far as the log shows. */
  readonly lives: number
  readonly jobs: number
  readonly decisions: {
    readonly recomputed: number
    /** Those that differ, but come from another time zone database than ours. */
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
