import type { PlanSource, Responsibility } from '@kron/core'
import type { Endpoint } from './endpoint.js'

/** Why a run happened. Beside the Governor's reasons a person may ask for one. */
export type RunSource = PlanSource | 'manual' | 'replay'

/**
 * An endpoint waits for a quota of runs to begin again: for its tenant's, or for that of all tenants
 * together.
 */
export type QuotaHold = 'quota' | 'system-quota'

/** Why an endpoint is planned for then. */
export type PlannedSource = PlanSource | QuotaHold

export const isQuotaHold = (source: PlannedSource): source is QuotaHold =>
  source === 'quota' || source === 'system-quota'

/** The longest time that a hint may hold: a week. */
export const maxTtlMinutes = 7 * 24 * 60

/** A limited time during which an endpoint runs otherwise than its baseline says. */
interface Hint {
  readonly expiresAt: number
  readonly reason: string | null
  /** Who gave it: `planner:rules`, `response`, or an API key's id. */
  readonly by: string
  /** The name of the key, where a key gave it. */
  readonly keyName?: string
}

export interface IntervalHint extends Hint {
  readonly intervalMs: number
}

export interface OneShotHint extends Hint {
  readonly nextRunAt: number
}

/** Who gave a hint, for people: `rules`, `model`, `response`, or the name of a key. */
export function giverOf({ by, keyName }: Pick<Hint, 'by' | 'keyName'>): string {
  return keyName ?? by.replace(/^planner:/, '')
}

/** What a response asks of its own schedule. Whether it may is for others to decide. */
export interface Steering {
  readonly nextRunAt?: number
  readonly nextRunTtlMs?: number
  readonly intervalMs?: number
  readonly intervalTtlMs?: number
  readonly retryAfterMs?: number
  /** What could not be understood, for the run's record; a header with a problem has no effect. */
  readonly problems: readonly string[]
}

/** Whether a planner gave it, and not a person or a response. */
export function isPlanners(hint: { readonly by: string } | null): boolean {
  return hint?.by.startsWith('planner:') === true
}

/** A run that somebody asked for, waiting for a worker. */
export interface RequestedRun {
  readonly at: number
  readonly source: 'manual' | 'replay'
}

/** The run that holds an endpoint whose runs must not overlap. */
export interface HeldRun {
  readonly scheduledFor: number
  readonly source: RunSource
  readonly leaseUntil: number
  /** How often it was handed to a worker. */
  readonly deliveries: number
}

/** What is planned for an endpoint, and all that its next plan is made from. */
export interface Plan {
  readonly endpointId: string
  readonly tenantId: string
  /** The definition that the plan was made from. */
  readonly version: number
  readonly nextRunAt: number | null
  readonly source: PlannedSource
  readonly periodId: string | null
  readonly requested: RequestedRun | null
  readonly held: HeldRun | null
  /** Grows with each claim. Who writes a result must know the latest one. */
  readonly fence: number
  /** The latest planned time that was handled. No plan is made for it or before it again. */
  readonly handledThrough: number | null
  /** Since when the schedule counts with its present timing; null for intervals. */
  readonly responsibility: Responsibility | null
  readonly lastRunAt: number | null
  readonly lastStatus: string | null
  readonly failureCount: number
  readonly pausedUntil: number | null
  readonly pauseReason: string | null
  readonly intervalHint: IntervalHint | null
  readonly oneShotHint: OneShotHint | null
  /** The job is not active, or the endpoint is archived: nothing is planned. */
  readonly suspended: boolean
  /** Never claimed ahead of its time: the claim ends the runs that are under way. */
  readonly exact: boolean
  /**
   * When the database was restored from a backup: runs that were sent after the backup are not known,
   * so that intervals and limits count from here until there is a run again.
   */
  readonly restoredAt: number | null
  readonly createdAt: number
}

export interface EndpointWithPlan {
  readonly endpoint: Endpoint
  readonly plan: Plan
}

export function isPaused({ pausedUntil }: Pick<Plan, 'pausedUntil'>, now: number): boolean {
  return pausedUntil !== null && pausedUntil > now
}
