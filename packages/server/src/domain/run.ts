import type { RunSource } from './plan.js'
import type { RunKey } from './run-id.js'

export const endedStatuses = [
  'success',
  'failure',
  'timeout',
  'cancelled',
  'skipped',
  'missed',
  'unschedulable',
] as const
export const runStatuses = ['pending', 'running', ...endedStatuses] as const
export type EndedStatus = (typeof endedStatuses)[number]
export type RunStatus = (typeof runStatuses)[number]

/** Periods one after the other that could not be scheduled, which have one row together. */
export interface Stretch {
  readonly first: string
  readonly last: string
  readonly count: number
  /** There are more than were counted. */
  readonly more?: true
}

export interface RunError {
  readonly code: string
  readonly message: string
}

/** What stood behind a run when it was claimed. */
export interface RunContext {
  readonly failureCount: number
  readonly intervalHint?: { readonly intervalMs: number; readonly reason: string | null }
  readonly oneShotHint?: { readonly nextRunAt: number; readonly reason: string | null }
  /** What the schedule wanted and a constraint refused, such as `minIntervalMs`. */
  readonly violations?: readonly string[]
  readonly replayOf?: string
  readonly stretch?: Stretch
}

export interface RunResponse {
  readonly httpStatus: number | null
  readonly headers: Readonly<Record<string, string>>
  readonly bodyBytes: number
  readonly truncated: boolean
}

export interface Run extends RunKey {
  readonly tenantId: string
  readonly periodId: string
  readonly source: RunSource
  readonly status: RunStatus
  /** Why it was skipped, missed or cancelled: `concurrency`, `worker_lost`, ... */
  readonly reason: string | null
  readonly fence: number
  readonly owner: string | null
  readonly claimedAt: number | null
  readonly startedAt: number | null
  readonly endedAt: number | null
  readonly attempts: number
  readonly error: RunError | null
  readonly response: RunResponse | null
  /** What the response asked of its schedule and did not get, and why. */
  readonly notes: readonly string[]
  readonly context: RunContext
}
