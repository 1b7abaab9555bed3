import type { Constraints } from '../constraint/index.js'
import type { Zone } from '../zone/index.js'
import type { Distribution } from './distribution.js'
import type { SplitMix64 } from './split-mix.js'

/** The seed's fixed sampling budget. */
export const maxAttempts = 64
export const exhausted = 'no candidate accepted within MaxAttempts'
export const noneAllowed = 'no second of the window is allowed'

const belowOne = 1 - 2 ** -53

/** One draw, as `explain` shows it. */
export interface Sample {
  readonly u: number
  /** What the distribution maps it to; null under `sample=exact`, which has no candidate to map. */
  readonly x: number | null
  /** Whole seconds after the start of the window. */
  readonly offset: number | null
  /** The candidate, in epoch milliseconds. */
  readonly candidate: number | null
  /** The clause that turned it down, or null. */
  readonly rejectedBy: string | null
}

export interface Sampler {
  readonly distribution: Distribution
  readonly constraints: Constraints | null
  readonly zone: Zone
}

/** Second of the window, 0..width, that a place in [0, 1] falls on. */
export function offsetOf(x: number, width: number): number {
  const clamped = x > 0 ? Math.min(x, belowOne) : 0
  return Math.min(Math.floor(clamped * (width + 1)), width)
}

/**
 * Draws until a candidate satisfies the constraints. Answers the number of draws and leaves the
 * chosen second in `outcome`, or answers 0 when the budget is spent.
 */
export function drawByRejection(
  sampler: Sampler,
  random: SplitMix64,
  start: number,
  width: number,
  outcome: { second: number },
  observe?: (sample: Sample) => void,
): number {
  const { distribution, constraints, zone } = sampler
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const u = random.next()
    const x = distribution.quantile(u)
    const offset = offsetOf(x, width)
    const second = start + offset
    const allowed = constraints === null || constraints.allows(second + zone.offsetAt(second))
    if (observe !== undefined) {
      const rejectedBy = constraints?.rejectedBy(second + zone.offsetAt(second)) ?? null
      observe({ u, x, offset, candidate: second * 1000, rejectedBy })
    }
    if (allowed) {
      outcome.second = second
      return attempt
    }
  }
  return 0
}

/**
 * `sample=exact`: the distribution conditioned on the allowed seconds, inverted with one number.
 * Answers the chosen second, or NaN when no second is allowed.
 */
export function drawExactly(sampler: Sampler, u: number, start: number, width: number): number {
  const { distribution, constraints, zone } = sampler
  if (constraints === null) return start + offsetOf(distribution.quantile(u), width)
  const runs = constraints.allowedRuns(zone, start, start + width)
  if (runs.length === 0) return Number.NaN
  const seconds = width + 1
  const masses = massesOf(runs, (second) => distribution.cumulative((second - start) / seconds))
  const total = masses.reduce((sum, mass) => sum + mass, 0)
  // Allowed seconds so far out in a tail that their probability is zero are taken evenly.
  if (!(total > 0)) return evenly(runs, u)
  let wanted = u * total
  let run = 0
  while (run < masses.length - 1 && (wanted >= masses[run]! || masses[run] === 0)) {
    wanted -= masses[run++]!
  }
  const first = runs[run * 2]!
  const last = runs[run * 2 + 1]!
  const before = distribution.cumulative((first - start) / seconds)
  const second = start + offsetOf(distribution.quantile(before + wanted), width)
  return Math.min(Math.max(second, first), last)
}

/** The probability that one draw lands on an allowed second: 1 without constraints. */
export function acceptance(sampler: Sampler, start: number, width: number): number {
  const { distribution, constraints, zone } = sampler
  if (constraints === null) return 1
  const runs = constraints.allowedRuns(zone, start, start + width)
  if (width === 0) return runs.length === 0 ? 0 : 1
  const place = (second: number) => distribution.cumulative((second - start) / (width + 1))
  return Math.min(
    1,
    massesOf(runs, place).reduce((sum, mass) => sum + mass, 0),
  )
}

function massesOf(runs: Float64Array, cumulative: (second: number) => number): number[] {
  const masses: number[] = []
  for (let i = 0; i < runs.length; i += 2) {
    masses.push(Math.max(0, cumulative(runs[i + 1]! + 1) - cumulative(runs[i]!)))
  }
  return masses
}

function evenly(runs: Float64Array, u: number): number {
  let allowed = 0
  for (let i = 0; i < runs.length; i += 2) allowed += runs[i + 1]! - runs[i]! + 1
  let index = Math.floor(u * allowed)
  for (let i = 0; ; i += 2) {
    const length = runs[i + 1]! - runs[i]! + 1
    if (index < length || i + 2 === runs.length) return runs[i]! + index
    index -= length
  }
}
