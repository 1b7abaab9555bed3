import type { Machine } from '../machine.ts'
import type { Figures } from './figures.ts'
import type { Compared } from './score.ts'

export interface WorldResult extends Figures {
  readonly world: string
  readonly policy: string
}

export interface FleetResult extends Figures {
  readonly policy: string
}

/** Calls and delay of a policy with a budget, both beside the fixed schedule's. */
export interface ParetoPoint {
  readonly policy: string
  readonly budget: number
  readonly calls: number
  readonly delay: number
}

export interface Results {
  readonly date: string
  readonly seeds: number
  readonly machine: Machine
  readonly results: readonly WorldResult[]
  readonly fleet: readonly FleetResult[]
  /** Delays at equal calls, beside the fixed schedule's. */
  readonly compared: readonly Compared[]
  readonly pareto: readonly ParetoPoint[]
}
