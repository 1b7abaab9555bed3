import type { KronJobSpec } from '../../packages/operator/src/kronjob/index.js'
import { Random } from '../random.js'
import { someSpec } from './kron-job-mix.js'

/** What goes wrong in a world. Rates are for a minute, parts are of one. */
export interface Trouble {
  readonly deaths: number
  readonly freezes: number
  readonly clockSteps: number
  readonly watchTroubles: number
  readonly storms: number
  /** Requests that fail outside of storms. */
  readonly faults: number
  /** What people do to KronJobs. */
  readonly edits: number
  /** What people and others do to Jobs and to the status. */
  readonly erasures: number
}

export interface Scenario {
  readonly seed: number
  readonly minutes: number
  readonly operators: number
  /** Of them, from the first on, these act without a lease. */
  readonly lawless: number
  readonly leaseMs: number
  /** Clocks of operators are off by up to so much. */
  readonly skewMs: number
  readonly watchDelayMs: number
  /** How long Jobs take to end when they are deleted. */
  readonly terminationMs: number
  readonly specs: readonly KronJobSpec[]
  readonly trouble: Trouble
}

export const noTrouble: Trouble = {
  deaths: 0,
  freezes: 0,
  clockSteps: 0,
  watchTroubles: 0,
  storms: 0,
  faults: 0,
  edits: 0,
  erasures: 0,
}

export function scenario(seed: number): Scenario {
  const random = new Random(seed)
  return {
    seed,
    minutes: random.pick([20, 30, 45]),
    operators: random.between(2, 3),
    lawless: random.chance(0.25) ? random.between(1, 2) : 0,
    leaseMs: random.pick([15_000, 15_000, 30_000, 60_000]),
    skewMs: random.pick([0, 0, 500, 3000]),
    watchDelayMs: random.pick([0, 0, 50, 2000]),
    terminationMs: random.pick([0, 1000, 20_000, 90_000]),
    specs: Array.from({ length: random.between(4, 8) }, () => someSpec(random)),
    trouble: someTrouble(random),
  }
}

/** Some worlds have all of it, some have one kind alone, which then is not hidden by another. */
function someTrouble(random: Random): Trouble {
  const rates = (): readonly number[] => [0, 0.1, 0.3, 1]
  const all: Trouble = {
    deaths: random.pick(rates()),
    freezes: random.pick(rates()),
    clockSteps: random.pick([0, 0.05, 0.1]),
    watchTroubles: random.pick(rates()),
    storms: random.pick([0, 0.1, 0.2]),
    faults: random.pick([0, 0.01, 0.05]),
    edits: random.pick(rates()),
    erasures: random.pick(rates()),
  }
  if (random.chance(0.5)) return all
  const kinds = Object.keys(noTrouble) as (keyof Trouble)[]
  const kept = [random.pick(kinds), random.pick(kinds)]
  return { ...noTrouble, ...Object.fromEntries(kept.map((kind) => [kind, all[kind]])) }
}
