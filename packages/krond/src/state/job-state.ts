import type { Responsibility } from '@kron/core'

/** What is remembered of one job: enough to never run a period twice. Instants are epoch ms. */
export interface JobState {
  readonly identity: string
  /** Since when the host answers for the job; null in files that are older than the rule. */
  readonly responsibility: Responsibility | null
  /** The period handled last, or null before the first. */
  readonly last: HandledPeriod | null
  /** The newest execution that runs. */
  readonly active: ActiveExecution | null
  /** Older executions that still run, under `concurrency=allow`. */
  readonly others: readonly ActiveExecution[]
  /** Oldest first; for people only, nothing is decided by it. */
  readonly history: readonly HistoryEntry[]
}

export const outcomes = ['executed', 'skipped', 'missed', 'unschedulable'] as const

export type Outcome = (typeof outcomes)[number]

export interface HandledPeriod {
  /** Nominal time; its RFC 3339 text is the period id. */
  readonly nominal: number
  readonly outcome: Outcome
  /** null when unschedulable. */
  readonly chosen: number | null
}

/** A process, such that a later one with the same number is not taken for it. */
export interface ProcessIdentity {
  readonly pid: number
  /** Clock ticks from boot to start, as `/proc/<pid>/stat` has it; null when it was not recorded. */
  readonly startTicks: number | null
  /** Of the boot those ticks count from; null when it was not recorded. */
  readonly bootId: string | null
}

export interface ActiveExecution {
  readonly nominal: number
  readonly chosen: number
  readonly startedAt: number
  readonly process: ProcessIdentity
}

export interface HistoryEntry extends HandledPeriod {
  readonly completedAt: number
  /** null when it is not known, or when nothing was executed. */
  readonly exitCode: number | null
}
