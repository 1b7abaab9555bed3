import type { DistributionSpec, WindowSpec } from '../definition/index.js'
import { expm1, log1p, normalCdf, normalQuantile, pow } from '../math/index.js'

/** A law on [0, 1], the window from its first to its last second, given by inverse transform. */
export interface Distribution {
  /** Place in the window of a uniform number in [0, 1). */
  quantile(u: number): number
  /** Probability of everything before `x`; the inverse of `quantile`. */
  cumulative(x: number): number
}

const uniform: Distribution = {
  quantile: (u) => u,
  cumulative: (x) => x,
}

/** The distribution of a checked specification; missing parameters take their defaults here. */
export function distributionOf(spec: DistributionSpec, window: WindowSpec): Distribution {
  const number = (name: string, otherwise: number): number =>
    (spec.params[name] as number | undefined) ?? otherwise
  switch (spec.name) {
    case 'uniform':
      return uniform
    case 'skewEarly':
      return skewEarly(number('shape', 2))
    case 'skewLate':
      return mirrored(skewEarly(number('shape', 2)))
    case 'exponential': {
      const early = exponential(number('lambda', 1))
      return spec.params['dir'] === 'late' ? mirrored(early) : early
    }
    case 'normal': {
      const sigma = number('sigma', window.duration / 6)
      return normal(centreOf(spec, window), sigma / window.duration)
    }
  }
}

/** The law seen from the other end of the window; still increasing in `u`. */
function mirrored(law: Distribution): Distribution {
  return {
    quantile: (u) => 1 - law.quantile(1 - u),
    cumulative: (x) => 1 - law.cumulative(1 - x),
  }
}

function skewEarly(shape: number): Distribution {
  const inverse = 1 / shape
  return {
    quantile: (u) => pow(u, shape),
    cumulative: (x) => pow(x, inverse),
  }
}

/** Density proportional to exp(-lambda x), cut off at the end of the window. */
function exponential(lambda: number): Distribution {
  const mass = expm1(-lambda)
  return {
    quantile: (u) => -log1p(u * mass) / lambda,
    cumulative: (x) => expm1(-lambda * x) / mass,
  }
}

/**
 * Normal, cut off at both ends. The centre lies inside of the window, so that neither tail ever
 * has to be resolved far out; the upper half is taken from its own tail to keep its digits.
 */
function normal(centre: number, sigma: number): Distribution {
  const below = normalCdf(-centre / sigma)
  const above = normalCdf((centre - 1) / sigma)
  const inside = 1 - below - above
  return {
    quantile: (u) => {
      const lower = below + u * inside
      const z = lower < 0.5 ? normalQuantile(lower) : -normalQuantile(above + (1 - u) * inside)
      return centre + sigma * z
    },
    cumulative: (x) => (normalCdf((x - centre) / sigma) - below) / inside,
  }
}

function centreOf(spec: DistributionSpec, window: WindowSpec): number {
  const fallback = window.mode === 'around' ? 'nominal' : 'mid'
  switch (spec.params['mu'] ?? fallback) {
    case 'start':
      return 0
    case 'end':
      return 1
    case 'nominal':
      return nominalAt[window.mode]
    default:
      return 0.5
  }
}

const nominalAt = { after: 0, around: 0.5, before: 1 } as const
