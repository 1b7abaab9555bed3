import type { Machine } from '../machine.ts'
import type { Noise } from '../noise.ts'

/** One round of one contender; times in ms after all were due, by the clock of the target. */
export interface Round {
  readonly prepareMs: number
  readonly requests: number
  readonly arrived: number
  readonly firstMs: number
  readonly p50: number
  readonly p99: number
  readonly lastLatenessMs: number
  /** From the first arrival to the last. */
  readonly runsPerSecond: number
  /** When each run was recorded as ended; null for a limit, which records nothing. */
  readonly recordedMs: number | null
  /** Of the contender's own process. */
  readonly processorMs: number
}

export interface ContenderResult {
  readonly name: string
  readonly version: string
  readonly count: number
  /** The one with the earliest last arrival; null: none was measured. */
  readonly best: Round | null
  readonly rounds: readonly Round[]
  readonly failure: string | null
}

export interface Results {
  readonly date: string
  readonly machine: Machine
  readonly noise: Noise
  readonly quick: boolean
  readonly entries: readonly ContenderResult[]
}

export const bestOf = (rounds: readonly Round[]): Round | null =>
  rounds.reduce<Round | null>(
    (best, round) => (best === null || round.lastLatenessMs < best.lastLatenessMs ? round : best),
    null,
  )
