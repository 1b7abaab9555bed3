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
  readonly refused: readonly { readonly action: PlannerAction; readonly why: string }[]
  readonly cost: { readonly calls: number; readonly tokens: number }
}
