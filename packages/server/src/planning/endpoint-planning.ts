import { type Endpoint, instantText, type Plan, type RequestedRun } from '../domain/index.js'
import type {
  ClaimDecision,
  DuePlan,
  EndedRun,
  Outcome,
  OutcomeDecision,
  Planning,
  RunOrigin,
} from '../store/index.js'
import { decideClaim, isRequested, lostRun, withdrawnRun } from './claim-decision.js'
import { type CompiledEndpoint, compileEndpoint } from './compiled-endpoint.js'
import { decideOutcome } from './outcome-decision.js'
import type { ReadSteering } from './response-hints.js'

/** How long an endpoint that can't be planned is left alone. */
const brokenPauseMs = 300_000

export interface PlanningOptions {
  /**
   * Definitions that are kept, at least as many as one claim or record has; beyond that those that
   * were not used for longest are read again when they are needed.
   */
  readonly mostDefinitions: number
  readonly readSteering: ReadSteering
  /** An endpoint could not be planned; the others go on. */
  readonly onBroken: (plan: Plan, error: unknown) => void
  /** Periods are passed over that had to start before the schedule counted. */
  readonly onNotResponsible?: (plan: Plan, periodIds: readonly string[]) => void
}

/** The rules for a worker, with the definitions it has met. */
export class EndpointPlanning implements Planning {
  readonly #options: PlanningOptions
  readonly #compiled = new Map<string, CompiledEndpoint>()
  /** Definitions that can't be compiled, by endpoint and version. */
  readonly #broken = new Map<string, { readonly version: number; readonly error: unknown }>()

  constructor(options: PlanningOptions) {
    this.#options = options
  }

  knows(endpointId: string, version: number): boolean {
    const compiled = this.#compiled.get(endpointId)
    if (compiled?.endpoint.version !== version) {
      return this.#broken.get(endpointId)?.version === version
    }
    // Used last, so that what is learned next for the same batch takes the place of another.
    this.#compiled.delete(endpointId)
    this.#compiled.set(endpointId, compiled)
    return true
  }

  learn(endpoint: Endpoint): void {
    const { id, version } = endpoint
    try {
      remember(this.#compiled, id, compileEndpoint(endpoint), this.#options.mostDefinitions)
      this.#broken.delete(id)
    } catch (error) {
      remember(this.#broken, id, { version, error }, this.#options.mostDefinitions)
    }
  }

  /** The definition that a claimed run was made from. */
  compiled(endpointId: string): CompiledEndpoint | null {
    return this.#compiled.get(endpointId) ?? null
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

  decideOutcome(plan: Plan, outcome: Outcome, origin: RunOrigin, now: number): OutcomeDecision {
    try {
      const compiled = this.#definition(plan)
      return decideOutcome(plan, outcome, origin, compiled, now, this.#options.readSteering)
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
    const compiled = this.#compiled.get(plan.endpointId)
    if (compiled?.endpoint.version === plan.version) return compiled
    throw this.#broken.get(plan.endpointId)?.error ?? new Error('the definition is gone')
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

function remember<Value>(map: Map<string, Value>, key: string, value: Value, most: number): void {
  map.delete(key)
  map.set(key, value)
  if (map.size <= most) return
  for (const oldest of map.keys()) {
    map.delete(oldest)
    break
  }
}
