import { checkInstant, formatInstant } from '../calendar/instant.js'
import { type Constraints, compileConstraints } from '../constraint/index.js'
import {
  type ConstraintSpec,
  type DecisionRequest,
  type DecisionSpec,
  type DistributionSpec,
  resolveDecisionRequest,
  type SeedSpec,
} from '../definition/index.js'
import { type Zone, zone } from '../zone/index.js'
import { distributionOf } from './distribution.js'
import { periodKeyOf } from './period-key.js'
import {
  acceptance,
  drawByRejection,
  drawExactly,
  exhausted,
  maxAttempts,
  noneAllowed,
  type Sample,
  type Sampler,
} from './sampling.js'
import { hexOf, SeedHash } from './seed-hash.js'
import { SplitMix64 } from './split-mix.js'
import { type WindowOffsets, windowEndSecond, windowOffsets, windowStartSecond } from './window.js'

/** When one period of a job runs, with everything that reproduces the choice. Instants in ms. */
export interface Decision {
  /** RFC 3339 UTC of the nominal time. */
  readonly periodId: string
  /** What of the period entered the seed. */
  readonly periodKey: string
  readonly nominalTime: number
  readonly windowStart: number
  readonly windowEnd: number
  /** null when the period is unschedulable. */
  readonly chosenTime: number | null
  readonly timezone: string
  readonly distribution: DistributionSpec
  readonly seed: SeedSpec
  readonly seedHash: string
  /** Numbers drawn; 0 when the window is a single second. */
  readonly attempts: number
  readonly unschedulable: boolean
  readonly reason?: string
  readonly constraintsApplied: ConstraintSpec
}

// Working memory of one decision; nothing in it outlives the call.
const hash = new Int32Array(8)
const random = new SplitMix64()
const outcome: { second: number; reason: string | undefined } = { second: 0, reason: undefined }

/** A decision specification with everything worked out that does not depend on the period. */
export class Decider {
  readonly spec: DecisionSpec
  readonly zone: Zone
  readonly window: WindowOffsets
  readonly constraints: Constraints | null
  readonly #sampler: Sampler
  readonly #exact: boolean
  readonly #seedHash: SeedHash

  constructor(spec: DecisionSpec) {
    this.spec = spec
    this.zone = zone(spec.timezone)
    this.window = windowOffsets(spec.window)
    this.constraints = compileConstraints(spec.constraints)
    this.#sampler = {
      distribution: distributionOf(spec.distribution, spec.window),
      constraints: this.constraints,
      zone: this.zone,
    }
    this.#exact = spec.distribution.params['sample'] === 'exact'
    this.#seedHash = new SeedHash(spec.identity, spec.seed.salt)
  }

  /** The decision of the period at `nominal`; `observe` gets every draw, in order. */
  decide(nominal: number, observe?: (sample: Sample) => void): Decision {
    checkInstant(nominal, 'nominalTime')
    const { spec } = this
    const start = windowStartSecond(this.window, nominal)
    const width = windowEndSecond(this.window, nominal) - start
    const periodId = formatInstant(nominal)
    const periodKey = periodKeyOf(spec.seed.strategy, periodId, nominal, this.zone)
    this.#seedHash.digest(periodKey, hash)
    const seedHash = hexOf(hash)

    const attempts = this.#choose(start, width, observe)
    const { reason } = outcome
    const decision = {
      periodId,
      periodKey,
      nominalTime: nominal,
      windowStart: start * 1000,
      windowEnd: (start + width) * 1000,
      chosenTime: reason === undefined ? outcome.second * 1000 : null,
      timezone: spec.timezone,
      distribution: spec.distribution,
      seed: spec.seed,
      seedHash,
      attempts,
      unschedulable: reason !== undefined,
      constraintsApplied: spec.constraints,
    }
    return reason === undefined ? decision : { ...decision, reason }
  }

  /** Whether the period at `nominal`, which has an allowed second, gets one of them. */
  isSchedulable(nominal: number): boolean {
    const start = windowStartSecond(this.window, nominal)
    const width = windowEndSecond(this.window, nominal) - start
    if (width === 0 || this.#exact) return true
    const periodId = formatInstant(nominal)
    this.#seedHash.digest(periodKeyOf(this.spec.seed.strategy, periodId, nominal, this.zone), hash)
    this.#choose(start, width)
    return outcome.reason === undefined
  }

  /** Leaves the second, or why there is none, in `outcome`, and answers how many were drawn. */
  #choose(start: number, width: number, observe?: (sample: Sample) => void): number {
    outcome.second = start
    outcome.reason = undefined
    if (width === 0) {
      if (!this.#allows(start)) outcome.reason = exhausted
      return 0
    }
    random.seed(hash[0]!, hash[1]!)
    if (this.#exact) {
      const u = random.next()
      outcome.second = drawExactly(this.#sampler, u, start, width)
      observe?.(exactSample(u, outcome.second, start))
      if (!Number.isNaN(outcome.second)) return 1
      outcome.reason = noneAllowed
      return 0
    }
    const attempts = drawByRejection(this.#sampler, random, start, width, outcome, observe)
    if (attempts > 0) return attempts
    outcome.reason = exhausted
    return maxAttempts
  }

  /** The probability that a single draw for this period is accepted. */
  acceptance(nominal: number): number {
    checkInstant(nominal, 'nominalTime')
    const start = windowStartSecond(this.window, nominal)
    return acceptance(this.#sampler, start, windowEndSecond(this.window, nominal) - start)
  }

  #allows(second: number): boolean {
    const { constraints } = this.#sampler
    return constraints === null || constraints.allows(second + this.zone.offsetAt(second))
  }
}

function exactSample(u: number, second: number, start: number): Sample {
  if (Number.isNaN(second)) {
    return { u, x: null, offset: null, candidate: null, rejectedBy: noneAllowed }
  }
  return { u, x: null, offset: second - start, candidate: second * 1000, rejectedBy: null }
}

/** One decision from loose input. For more than one period of a job, compile it. */
export function decide(request: DecisionRequest): Decision {
  const { nominalTime, ...spec } = resolveDecisionRequest(request)
  return new Decider(spec).decide(nominalTime)
}
