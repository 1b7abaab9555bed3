import { type Endpoint, instantText, type Plan, type RequestedRun } from '../domain/index.js'
import type { Memory } from '../learner/index.js'
import { decideClaim, isRequested, lostRun, withdrawnRun } from './claim-decision.js'
import { type CompiledEndpoint, compileEndpoint } from './compiled-endpoint.js'
import { type KeptMemory, MemoryCache } from './memory-cache.js'
import { decideOutcome, type ReadSteering } from './outcome-decision.js'
import type {
  ClaimDecision,
  DuePlan,
  EndedRun,
  Outcome,
  OutcomeDecision,
  Planning,
  RunOrigin,
} from './planning.js'
import { RecentlyUsed } from './recently-used.js'

/** How long an endpoint that can't be planned is left alone. */
const brokenPauseMs = 300_000

export interface PlanningOptions {
  /**
   * Definitions that are kept, at least as many as one claim or record has; beyond that those that
   * were not used for longest are read again when they are needed.
   */
  readonly maxDefinitions: number
  readonly readSteering: ReadSteering
  /** An endpoint could not be planned; the others go on. */
  readonly onBroken: (plan: Plan, error: unknown) => void
  /** Periods are passed over that had to start before the schedule counted. */
  readonly onNotResponsible?: (plan: Plan, periodIds: readonly string[]) => void
}

/** The rules for a worker, with the definitions it has met. */
export class EndpointPlanning implements Planning {
  readonly #options: PlanningOptions
  readonly #compiled: RecentlyUsed<CompiledEndpoint>
  /** Definitions that can't be compiled, by endpoint and version. */
  readonly #broken: RecentlyUsed<{ readonly version: number; readonly error: unknown }>

  readonly #memories = new MemoryCache()

  constructor(options: PlanningOptions) {
    this.#options = options
    this.#compiled = new RecentlyUsed(options.maxDefinitions)
    this.#broken = new RecentlyUsed(options.maxDefinitions)
  }

  knows(endpointId: string, version: number): boolean {
    if (this.#compiled.peek(endpointId)?.endpoint.version !== version) {
      return this.#broken.peek(endpointId)?.version === version
    }
    // So that what is learned next for the same batch takes the place of another.
    this.#compiled.use(endpointId)
    return true
  }

  learn(endpoint: Endpoint): void {
    const { id, version } = endpoint
    try {
      this.#compiled.set(id, compileEndpoint(endpoint))
      this.#broken.delete(id)
    } catch (error) {
      this.#broken.set(id, { version, error })
    }
  }

  /** The definition that a claimed run was made from. */
  compiled(endpointId: string): CompiledEndpoint | null {
    return this.#compiled.peek(endpointId) ?? null
  }

  decideClaim(due: DuePlan, now: number): ClaimDecision | null {
    try {
      const decision = decideClaim(due, this.#definition(due.plan), now)
      const passed = decision?.notResponsible ?? []
      if (passed.length > 0) this.#options.onNotResponsible?.(due.plan, passed)
      return decision
    } catch (error) {
      this.#options.onBroken(due.plan, error)
      const { plan } = due
      const lost = plan.held === null ? [] : [lostRun(plan, plan.held)]
      const ended = [...lost, ...withdrawn(plan, plan.requested)]
      return { plan: setAside(plan, now), start: null, ended, replaceOthers: false }
    }
  }

  learnsFrom(endpointId: string): boolean {
    const compiled = this.#compiled.peek(endpointId)
    return compiled !== undefined && compiled.endpoint.definition.planner !== 'off'
  }

  takeMemory(endpointId: string, fence: number): Memory | null {
    return this.#memories.take(endpointId, fence)
  }

  keepMemories(kept: readonly KeptMemory[]): void {
    for (const memory of kept) this.#memories.keep(memory)
  }

  decideOutcome(
    plan: Plan,
    outcome: Outcome,
    origin: RunOrigin,
    now: number,
    memory: Memory | null,
  ): OutcomeDecision {
    try {
      const compiled = this.#definition(plan)
      const { readSteering } = this.#options
      return decideOutcome(plan, outcome, origin, compiled, now, { readSteering, memory })
    } catch (error) {
      this.#options.onBroken(plan, error)
      const { source } = origin
      const isBack = outcome.status === 'released' && isRequested(source)
      const back = isBack ? { at: outcome.scheduledFor, source } : null
      const ended = withdrawn(plan, back)
      // The endpoint is not this run's: it is set aside when it wakes itself.
      if (outcome.overlapping) return { plan, ended, attention: null, notes: [] }
      const all = [...ended, ...withdrawn(plan, plan.requested)]
      return { plan: setAside(plan, now), ended: all, attention: null, notes: [] }
    }
  }

  #definition(plan: Plan): CompiledEndpoint {
    const compiled = this.#compiled.peek(plan.endpointId)
    if (compiled?.endpoint.version === plan.version) return compiled
    throw this.#broken.peek(plan.endpointId)?.error ?? new Error('the definition is gone')
  }
}

/** Without the request in its plan nobody would ever take the run or end it. */
function withdrawn(plan: Plan, requested: RequestedRun | null): EndedRun[] {
  if (requested === null) return []
  const error = { code: 'unplannable', message: 'the endpoint can not be planned' }
  return [withdrawnRun(plan, requested, 'cancelled', 'unplannable', error)]
}

/** Tried again later: whatever is wrong with it may be mended by an edit or by a newer program. */
function setAside(plan: Plan, now: number): Plan {
  const nextRunAt = now + brokenPauseMs
  return {
    ...plan,
    held: null,
    requested: null,
    nextRunAt,
    source: 'paused',
    periodId: instantText(nextRunAt),
  }
}
