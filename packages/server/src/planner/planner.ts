import type { Endpoint, Health, Plan, PlannerAction, PlannerSession, Run } from '../domain/index.js'
import type { Calendar, Pupil } from '../scheduling/index.js'
import type { Siblings } from './siblings.js'

/** All that a planner gets to know of the one endpoint it may act on. */
export interface PlannerInput {
  /** Without header values and body, which are nobody's business but the target's. */
  readonly endpoint: Endpoint
  readonly plan: Plan
  /** The newest first. */
  readonly runs: readonly Run[]
  readonly health: Health
  readonly siblings: Siblings
  /** The gap of the baseline, and how far a planner may move it. */
  readonly band: Pupil['band']
  /**
   * The times that the schedule of a cron endpoint allows, to which a planner is bound; null where
   * it is not.
   */
  readonly calendar: Calendar | null
  /** Why the endpoint asked for attention. */
  readonly why: string
  readonly now: number
}

export interface Proposal {
  /** For people, kept with the session. */
  readonly said: string
  readonly actions: readonly PlannerAction[]
  readonly cost: PlannerSession['cost']
}

/**
 * Looks at an endpoint and proposes. It changes nothing itself: what it proposes is checked and
 * done by `applyProposal`, and by nothing else.
 */
export interface Planner {
  /** `rules` acts as `planner:rules`. */
  readonly name: string
  /** Calls that are counted against the quotas before each session; 0 is free. */
  readonly callsEach: number
  /** null when there is nothing to say: nothing is kept of it then. */
  propose(input: PlannerInput, signal: AbortSignal): Promise<Proposal | null>
}

export const actorOf = (planner: string): string => `planner:${planner}`
