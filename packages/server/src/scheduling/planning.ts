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
import type { Memory } from '../learner/index.js'
import type { LearnedNote } from './learned-note.js'
import type { KeptMemory } from './memory-cache.js'

/**
 * The rules that a store applies while it holds the rows. Everything here is pure but for the
 * definitions it remembers: a store may call it again when its transaction has to be repeated.
 */
export interface Planning {
  knows(endpointId: string, version: number): boolean
  learn(endpoint: Endpoint): void
  /** What becomes of an endpoint that woke, or null when it is not its time yet. */
  decideClaim(due: DuePlan, now: number): ClaimDecision | null
  /** Whether something is remembered of an endpoint that `knows` has answered for. */
  learnsFrom(endpointId: string): boolean
  /** What is known here of that for the run of this fence; null where it has to be read. */
  takeMemory(endpointId: string, fence: number): Memory | null
  /** To be called once the transaction has committed. */
  keepMemories(kept: readonly KeptMemory[]): void
  /** What becomes of an endpoint whose run ended; `memory` is what was remembered of it. */
  decideOutcome(
    plan: Plan,
    outcome: Outcome,
    origin: RunOrigin,
    now: number,
    memory: Memory | null,
  ): OutcomeDecision
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
  /** What was learned from the run; absent where nothing was. */
  readonly learned?: LearnedRun
}

/** What is stored with the end of a run that the learner has looked at. */
export interface LearnedRun {
  readonly memory: Memory
  /** Whether planners act on the endpoint, instead of suggesting. */
  readonly isFollowed: boolean
  readonly note: LearnedNote | null
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
