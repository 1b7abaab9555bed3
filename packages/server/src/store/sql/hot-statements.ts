import type { Endpoint, Plan, PlannerSession } from '../../domain/index.js'
import type { EndedRun, Outcome, RunOrigin } from '../../scheduling/index.js'
import type { ClaimedRun } from '../claim.js'
import type { NewAudit } from './audit-table.js'
import type { MemoryRow, StoredMemoryRow } from './memory-row.js'

export interface TakenRun {
  readonly endpointId: string
  readonly scheduledFor: number
}

/** The fence tells the run that was taken from one that another worker has got since. */
export interface FencedRun extends TakenRun {
  readonly fence: number
}

/** A run that ends, with the tenant of its endpoint. */
export interface EndedRow extends EndedRun {
  readonly tenantId: string
}

/** A run of ours as its row says: what must still be so when its outcome is written. */
export interface RunState extends FencedRun, RunOrigin {
  readonly status: string
  readonly reason: string | null
  readonly attempts: number
  readonly startedAt: number | null
  /** The end of its lease when further runs may start beside it; otherwise the plan has that. */
  readonly overlapLease: number | null
}

export interface LostRun {
  readonly tenantId: string
  readonly endpointId: string
  readonly scheduledFor: number
}

/** The plans that could be locked, and the endpoints whose plans somebody else has locked. */
export interface FreePlans {
  readonly plans: readonly Plan[]
  readonly busy: ReadonlySet<string>
}

/** An outcome with what its run keeps beside it. */
export interface WrittenOutcome extends Outcome {
  readonly notes: readonly string[]
}

/** A body as it is stored; null where there is none. */
export type StoredBodyOf = (outcome: Outcome) => Uint8Array | null

export interface NextWakes {
  /** When an endpoint wakes or the lease of an overlapping run ends, the earlier one. */
  readonly nextWakeAt: number | null
  /** When a crowd of endpoints will be awake. */
  readonly nextCrowdAt: number | null
}

/**
 * The statements that workers need, for many rows at once. Each database has its own way to be
 * fast with those; the order in which they are used is the same (see claim-transaction.ts and
 * record-transaction.ts).
 */
export interface HotStatements {
  readonly now: number
  /** Locks up to `limit` endpoints that wake, the earliest first, leaving out what others locked. */
  lockDue(
    untilMs: number,
    limit: number,
    withoutTenants: readonly string[],
  ): Promise<readonly Plan[]>
  /** Locks the plans of these endpoints, in the order of their ids, so that nobody deadlocks. */
  lockPlans(endpointIds: readonly string[]): Promise<readonly Plan[]>
  /** The same without waiting for anybody. */
  lockFreePlans(endpointIds: readonly string[]): Promise<FreePlans>
  readEndpoints(ids: readonly string[]): Promise<readonly Endpoint[]>
  /** Runs that each tenant's quota leaves this month; a tenant without a limit is left out. */
  runsLeft(tenantIds: readonly string[]): Promise<ReadonlyMap<string, number>>
  /**
   * Runs that the quota of all tenants together leaves this month; null is no limit. Where there is
   * one, nobody else gets an answer until the transaction ends, so that it is never exceeded.
   */
  systemRunsLeft(): Promise<number | null>
  /** Makes or takes over the rows. Answers which of them are ours now. */
  startRuns(
    runs: readonly ClaimedRun[],
    by: { readonly owner: string },
  ): Promise<readonly boolean[]>
  /** Where the row is there it must be pending or running; where it is to be inserted, absent. */
  endRuns(runs: readonly EndedRow[]): Promise<void>
  /** Ends what else is under way of these endpoints. Answers what that was. */
  replaceRuns(started: readonly ClaimedRun[]): Promise<readonly TakenRun[]>
  putPlans(plans: readonly Plan[]): Promise<void>
  /** By tenant; of all of them together as well. */
  countRuns(runs: ReadonlyMap<string, number>): Promise<void>
  /** Fails when the claim was settled already. */
  insertClaim(claimId: string, taken: readonly FencedRun[]): Promise<void>
  /** Ends overlapping runs whose own lease ended by `until`. */
  endLostRuns(until: number, limit: number): Promise<readonly LostRun[]>
  /** `crowd`: how many endpoints make one. `graceMs`: from the end of such a lease to its loss. */
  nextWakes(crowd: number, graceMs: number): Promise<NextWakes>
  /** Keeps runs that may overlap from being given up for lost until the transaction ends. */
  lockRuns(keys: readonly TakenRun[]): Promise<void>
  readRuns(keys: readonly TakenRun[]): Promise<readonly RunState[]>
  writeOutcomes(outcomes: readonly WrittenOutcome[], bodyOf: StoredBodyOf): Promise<void>
  /** Adds when these runs began, and how often they were tried, to rows that others have ended. */
  addStarts(outcomes: readonly Outcome[]): Promise<void>
  /** Takes back runs that were never sent: their rows go, or wait again when they were asked for. */
  releaseRuns(outcomes: readonly Outcome[]): Promise<void>
  /** What the learner remembers of these endpoints, as far as it does. */
  readMemories(endpointIds: readonly string[]): Promise<readonly StoredMemoryRow[]>
  putMemories(rows: readonly MemoryRow[]): Promise<void>
  addSessions(sessions: readonly PlannerSession[]): Promise<void>
  addAudits(entries: readonly NewAudit[]): Promise<void>
  askAttention(
    rows: readonly {
      readonly endpointId: string
      readonly tenantId: string
      readonly why: string
    }[],
  ): Promise<void>
}
