import type { Job } from '../decision/index.js'

/**
 * All that the Governor looks at. Instants and intervals in milliseconds; what does not apply is
 * left out or null. Exactly one of the two baselines is given.
 */
export interface EndpointPlan {
  readonly pausedUntil?: number | null
  readonly aiHintNextRunAt?: number | null
  readonly aiHintNextRunExpiresAt?: number | null
  readonly aiHintIntervalMs?: number | null
  readonly aiHintIntervalExpiresAt?: number | null
  /** A schedule as text, with or without modifiers, or a compiled job. */
  readonly baselineCron?: string | Job | null
  /** For a text without `@tz`. */
  readonly timezone?: string | null
  readonly baselineIntervalMs?: number | null
  readonly minIntervalMs?: number | null
  readonly maxIntervalMs?: number | null
  /** Up to this much is added to a baseline interval, drawn from the seed of the last run. */
  readonly jitterMs?: number | null
  /** Seeds windows of a text schedule, and jitter. */
  readonly identity?: string | null
  readonly lastRunAt?: number | null
  readonly createdAt: number
}

/** Why the next run is when it is. */
export type PlanSource =
  | 'paused'
  | 'ai-oneshot'
  | 'ai-interval'
  | 'baseline-cron'
  | 'baseline-interval'
  | 'clamped-min'
  | 'clamped-max'

export interface NextRun {
  /** null only when the baseline never comes again and no maximum interval makes up for it. */
  readonly nextRunAt: number | null
  readonly source: PlanSource
}
