import { dayMs } from '../world.ts'
import { atGap, type Policy, type Setting } from './policy.ts'

const tries = 24

/**
 * Knows the true rate of each world and nothing of what will happen, and follows the square-root law
 * with it. What it reaches is a hint at what could be learned, and no bound: changes that follow each
 * other by a rule, such as one a day and no second one, are more than a rate.
 */
export const oracle: Policy = {
  name: 'oracle',
  play(setting) {
    const { target, world } = setting
    const { rate } = target
    if (rate === undefined) return null
    const stepMs = Math.min(15_000, world.minIntervalMs)
    const weights = Float64Array.from(
      { length: Math.ceil((world.days * dayMs) / stepMs) },
      (_, step) => Math.sqrt(rate((step + 0.5) * stepMs)) * stepMs,
    )
    const threshold = thresholdFor(setting, weights, stepMs)
    return {
      next(look) {
        let step = Math.floor(look.at / stepMs)
        let sum = 0
        while (step < weights.length && sum < threshold) sum += weights[step++]!
        return atGap(setting, look, step * stepMs - look.at)
      },
    }
  },
}

/** With this one, the calls are those of the baseline. */
function thresholdFor({ world, budget }: Setting, weights: Float64Array, stepMs: number): number {
  const { baselineMs, minIntervalMs, maxIntervalMs, days } = world
  const calls = ((days * dayMs) / baselineMs) * budget
  const callsAt = (threshold: number): number => {
    let count = 0
    let sum = 0
    let gapMs = 0
    for (const weight of weights) {
      sum += weight
      gapMs += stepMs
      if (gapMs < minIntervalMs || (sum < threshold && gapMs < maxIntervalMs)) continue
      count++
      sum = 0
      gapMs = 0
    }
    return count
  }
  const mean = weights.reduce((total, weight) => total + weight, 0) / calls
  let low = mean / 50
  let high = mean * 50
  for (let round = 0; round < tries; round++) {
    const middle = Math.sqrt(low * high)
    if (callsAt(middle) > calls) low = middle
    else high = middle
  }
  return high
}
