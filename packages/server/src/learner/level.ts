import { exp } from '@kron/core/math'

/** Rates of changes that are thought possible: from one a week to one in half a minute. */
export const levels = 30
/** Each is the one before times the square root of two, so that quiet odds follow by squaring. */
const slowestPerMs = 1 / (30_000 * 16_384 * Math.SQRT2)
/** How readily a rate is believed to have shifted, at each look. */
const share = 0.01

const roots = rootsOf(slowestPerMs)

function rootsOf(slowest: number): Float64Array {
  const all = new Float64Array(levels)
  let rate = slowest
  for (let index = 0; index < levels; index += 2) {
    all[index] = Math.sqrt(rate)
    all[index + 1] = Math.sqrt(rate * Math.SQRT2)
    rate *= 2
  }
  return all
}

const quiet = new Float64Array(levels)

export function newLevel(): Float32Array {
  return new Float32Array(levels).fill(1 / levels)
}

/**
 * The odds of no change in a gap, by each rate: left in a table for `learnLevel`. Answers the odds
 * by all of them together.
 */
export function quietOdds(weights: Float32Array, gapMs: number): number {
  quiet[0] = exp(-slowestPerMs * gapMs)
  quiet[1] = exp(-slowestPerMs * Math.SQRT2 * gapMs)
  let odds = weights[0]! * quiet[0]! + weights[1]! * quiet[1]!
  for (let index = 2; index < levels; index++) {
    const before = quiet[index - 2]!
    quiet[index] = before * before
    odds += weights[index]! * quiet[index]!
  }
  return odds
}

/** Bayes' rule with the table of the last `quietOdds`, then a share for all rates alike. */
export function learnLevel(weights: Float32Array, changed: boolean): void {
  let sum = 0
  for (let index = 0; index < levels; index++) {
    const odds = changed ? 1 - quiet[index]! : quiet[index]!
    const weight = weights[index]! * odds
    weights[index] = weight
    sum += weight
  }
  const scale = sum > 0 ? (1 - share) / sum : 0
  const added = (sum > 0 ? share : 1) / levels
  for (let index = 0; index < levels; index++) weights[index] = weights[index]! * scale + added
}

/** The mean of the roots, squared: what the square-root law makes of rates that are not certain. */
export function levelRate(weights: Float32Array): number {
  let sum = 0
  for (let index = 0; index < levels; index++) sum += weights[index]! * roots[index]!
  return sum * sum
}
