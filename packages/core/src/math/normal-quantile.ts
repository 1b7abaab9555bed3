import { centralQuantile, tailQuantile } from './generated/normal-coefficients.js'
import { log } from './log.js'
import { polynomial } from './polynomial.js'

/**
 * The z with normalCdf(z) = p: zero at 1/2, infinite at 0 and 1, NaN outside of them. The upper
 * half mirrors the lower one, since 1 - p is exact there. The relative error is below 1e-15.
 */
export function normalQuantile(p: number): number {
  if (p > 0.5) return p <= 1 ? -lowerQuantile(1 - p) : Number.NaN
  return p >= 0 ? lowerQuantile(p) : Number.NaN
}

function lowerQuantile(p: number): number {
  if (p === 0) return Number.NEGATIVE_INFINITY
  if (p >= 0.1625) {
    const centred = p - 0.5
    return centred * polynomial(centralQuantile, centred * centred)
  }
  const magnitude = Math.sqrt(-2 * log(p))
  const excess = polynomial(tailQuantile, (magnitude - 4) / (magnitude + 4))
  return magnitude * excess - magnitude
}
