import type {
  EndedStatus,
  Endpoint,
  Plan,
  RunContext,
  RunError,
  RunKey,
  RunSource,
  Stretch,
} from '../domain/index.js'

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

/** An endpoint whose time to wake has come, with its row locked. */
export interface DuePlan {
  readonly plan: Plan
  /** Runs that the tenant's quota still allows this month; null is no limit. */
  readonly runsLeft: number | null
  /** Runs that the quota of all tenants together still allows; null or absent is no limit. */
  readonly systemRunsLeft?: number | null
}

/** A run that the claim starts. */
export interface StartedRun extends RunKey {
  readonly periodId: string
  readonly source: RunSource
  readonly fence: number
  readonly leaseUntil: number
  /** Attempts that earlier owners made, when a lost run is delivered again. */
  readonly attempts: number
  readonly context: RunContext
  /** Whether further runs may start beside it: its lease is then its own, not the endpoint's. */
  readonly overlapping: boolean
  /** The row that must be there: none, one that was asked for, or the one that was lost. */
  readonly replaces: 'nothing' | 'pending' | 'running'
}

/** A run that ends without having been started by this claim. */
export interface EndedRun extends RunKey {
  readonly periodId: string
  readonly source: RunSource
  readonly status: EndedStatus
  readonly reason: string
  readonly error: RunError | null
  /** Ends a row that is there and open; otherwise the row is made. */
  readonly wasRunning: boolean
  /** The periods it stands for, if it is more than one. */
  readonly stretch?: Stretch
}

export interface ClaimDecision {
  readonly plan: Plan
  readonly start: StartedRun | null
  readonly ended: readonly EndedRun[]
  /** Every run of the endpoint that is under way ends as `cancelled` (`replaced`). */
  readonly replaceOthers: boolean
  /** Ids of periods that are passed over without a row: they had to start before they counted. */
  readonly notResponsible?: readonly string[]
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
 * The rules that a store applies while it holds the rows. Everything here is pure but for the
 * definitions it remembers: a store may call it again when its transaction has to be repeated.
 */
export interface Planning {
  knows(endpointId: string, version: number): boolean
  learn(endpoint: Endpoint): void
  /** What becomes of an endpoint that woke, or null when it is not its time yet. */
  decideClaim(due: DuePlan, now: number): ClaimDecision | null
  /** What becomes of an endpoint whose run ended. */
  decideOutcome(plan: Plan, outcome: Outcome, origin: RunOrigin, now: number): OutcomeDecision
}

/** How a run of ours ended. */
export interface Outcome extends RunKey {
  readonly tenantId: string
  readonly fence: number
  readonly overlapping: boolean
  /** `released`: it was never sent, and is planned again as if it had not been claimed. */
  readonly status: 'success' | 'failure' | 'timeout' | 'cancelled' | 'released'
  readonly reason: string | null
  readonly startedAt: number
  readonly endedAt: number
  readonly attempts: number
  readonly error: RunError | null
  readonly response: {
    readonly httpStatus: number | null
    readonly headers: Readonly<Record<string, string>>
    readonly truncated: boolean
    readonly body: Uint8Array
  } | null
}

/** Where a run came from, as its row says. */
export interface RunOrigin {
  readonly source: RunSource
  readonly periodId: string
}

export interface OutcomeDecision {
  readonly plan: Plan
  readonly ended: readonly EndedRun[]
  /** Why a planner should look at the endpoint, or null. */
  readonly attention: string | null
  /** What the response asked for and does not get, for the record of the run. */
  readonly notes: readonly string[]
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
