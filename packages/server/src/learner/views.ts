import { exp } from '@kron/core/math'

/**
 * Ways in which the changes of a resource may come. Each look multiplies the weight of a view by the
 * odds that the view gave to what was seen, so that the view that foretells best decides; where
 * nothing can be foretold, that is the mean rate.
 */
export const view = {
  mean: 0,
  meanByAge: 1,
  level: 2,
  hour: 3,
  hourByAge: 4,
  day: 5,
  dayByAge: 6,
  week: 7,
} as const
export const viewCount = 8

/** Logarithms of what each view weighs at first: a profile has to win three nats to count. */
const firstLogarithms = [0, -2, -2, -3, -5, -3, -5, -3]
/** How readily another view is believed to have become the right one, at each look. */
const share = 0.0005
/** The least odds that a view is taken to have given to what was seen. */
const minOdds = 1e-6
/** Beyond this, the odds of no change are as good as none. */
const maxExpected = 50

const first = normalized(Float64Array.from(firstLogarithms, exp))

function normalized(weights: Float64Array): Float64Array {
  const sum = weights.reduce((total, weight) => total + weight)
  return weights.map((weight) => weight / sum)
}

export const newViews = (): Float32Array => Float32Array.from(first)

/** Bayes' rule, by the changes that each view expected and the odds of none that `level` gave. */
export function weighViews(
  weights: Float32Array,
  expected: Float64Array,
  quietByLevel: number,
  changed: boolean,
): void {
  let sum = 0
  for (let index = 0; index < viewCount; index++) {
    const isLevel = index === view.level
    const quiet = isLevel ? quietByLevel : exp(-Math.min(expected[index]!, maxExpected))
    const weight = weights[index]! * Math.max(changed ? 1 - quiet : quiet, minOdds)
    weights[index] = weight
    sum += weight
  }
  for (let index = 0; index < viewCount; index++) {
    weights[index] = (weights[index]! / sum) * (1 - share) + share * first[index]!
  }
}
