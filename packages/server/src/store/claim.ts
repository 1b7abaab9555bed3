import type { EndedRun, StartedRun } from '../scheduling/index.js'

export interface ClaimRequest {
  /** Names this call, so that its fate can be asked for when the answer got lost. */
  readonly claimId: string
  readonly owner: string
  readonly limit: number
  /** How far ahead to look: claimed early, dispatched when due. */
  readonly withinMs: number
  /** How many endpoints make a crowd, of whose coming the answer tells. */
  readonly crowd: number
  /** Tenants whose endpoints are passed over, for they have their share of the caller already. */
  readonly without?: readonly string[]
}

/** A run that belongs to the caller now. */
export interface ClaimedRun extends StartedRun {
  readonly tenantId: string
  readonly version: number
}

export interface Claim {
  /** The database's time at the beginning of the claim. */
  readonly now: number
  readonly claimed: readonly ClaimedRun[]
  /** Runs that ended in the claim: missed, skipped, lost. */
  readonly ended: readonly (EndedRun & { readonly tenantId: string })[]
  /** As many were due as were asked for: there may be more. */
  readonly full: boolean
  /** When the next endpoint wakes that this claim did not look at. */
  readonly nextWakeAt: number | null
  /** When a crowd of them will be awake; null: there are fewer. */
  readonly nextCrowdAt: number | null
}

/**
 * `recorded`: it is written. `repeated`: it had been written before by the same owner. `fenced`:
 * the run belongs to somebody else or has ended, and its end is not written. `busy`: somebody is
 * changing its endpoint; nothing was written yet.
 */
export type Recorded = 'recorded' | 'repeated' | 'fenced' | 'busy'

export interface RecordAnswer {
  readonly now: number
  /** One for each outcome, in their order. */
  readonly answers: readonly Recorded[]
  /** The earliest time to wake among the plans that were written. */
  readonly nextWakeAt: number | null
}
