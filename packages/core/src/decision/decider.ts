import { checkInstant, formatInstant } from '../calendar/instant.js'
import { compileConstraints } from '../constraint/index.js'
import type { DecisionSpec } from '../definition/index.js'
import { type Zone, zone } from '../zone/index.js'
import type { Decision } from './decision.js'
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

// Working memory of one decision; nothing in it outlives the call.
const hash = new Int32Array(8)
const random = new SplitMix64()
const outcome = { second: 0 }

/** A decision specification with everything worked out that does not depend on the period. */
export class Decider {
  readonly spec: DecisionSpec
  readonly zone: Zone
  readonly window: WindowOffsets
  readonly #sampler: Sampler
  readonly #exact: boolean
  readonly #seedHash: SeedHash

  constructor(spec: DecisionSpec) {
    this.spec = spec
    this.zone = zone(spec.timezone)
    this.window = windowOffsets(spec.window)
    this.#sampler = {
      distribution: distributionOf(spec.distribution, spec.window),
      constraints: compileConstraints(spec.constraints),
      zone: this.zone,
    }
    this.#exact = spec.distribution.params['sample'] === 'exact'
    this.#seedHash = new SeedHash(spec.identity, spec.seed.salt)
  }

  /** The decision of the period at `nominal`; `observe` is told of every draw, in order. */
  decide(nominal: number, observe?: (sample: Sample) => void): Decision {
    checkInstant(nominal, 'nominalTime')
    const { spec } = this
    const start = windowStartSecond(this.window, nominal)
    const width = windowEndSecond(this.window, nominal) - start
    const periodId = formatInstant(nominal)
    const periodKey = periodKeyOf(spec.seed.strategy, periodId, nominal, this.zone)
    this.#seedHash.digest(periodKey, hash)
    const seedHash = hexOf(hash)

    let attempts = 0
    let reason: string | undefined
    outcome.second = start
    if (width === 0) reason = this.#allows(start) ? undefined : exhausted
    else {
      random.seed(hash[0]!, hash[1]!)
      if (this.#exact) {
        const u = random.next()
        outcome.second = drawExactly(this.#sampler, u, start, width)
        if (Number.isNaN(outcome.second)) reason = noneAllowed
        else attempts = 1
        observe?.(exactSample(u, outcome.second, start))
      } else {
        attempts = drawByRejection(this.#sampler, random, start, width, outcome, observe)
        if (attempts === 0) {
          attempts = maxAttempts
          reason = exhausted
        }
      }
    }
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
