import type { PlannedSource } from './plan.js'

export type PlannerAction =
  | {
      readonly kind: 'proposeInterval'
      readonly intervalMs: number
      readonly ttlMinutes: number
      readonly reason: string
    }
  | {
      readonly kind: 'proposeNextTime'
      readonly nextRunAt: number
      readonly ttlMinutes: number
      readonly reason: string
    }
  | { readonly kind: 'pauseUntil'; readonly until: number; readonly reason: string }
  | { readonly kind: 'clearHints'; readonly reason: string }

/** A proposal that was not done, with what it would have changed. */
export interface Suggestion {
  readonly action: PlannerAction
  readonly before: PlannedRun
  readonly after: PlannedRun
}

export interface PlannedRun {
  readonly nextRunAt: number | null
  readonly source: PlannedSource
}

/** What a planner read, said and did about one endpoint, and what it cost. */
export interface PlannerSession {
  readonly id: string
  readonly tenantId: string
  readonly endpointId: string
  readonly planner: string
  readonly startedAt: number
  readonly endedAt: number
  readonly read: unknown
  readonly said: string
  readonly actions: readonly PlannerAction[]
  /** What it would have done, where the endpoint has `planner: suggest`. */
  readonly suggested: readonly Suggestion[]
  readonly refused: readonly { readonly action: PlannerAction; readonly why: string }[]
  readonly cost: { readonly calls: number; readonly tokens: number }
}
