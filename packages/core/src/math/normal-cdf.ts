import { expOfSum } from './exp-kernel.js'
import { centralCdf, tailCdf } from './generated/normal-coefficients.js'
import { polynomial } from './polynomial.js'
import { productError } from './rounding-error.js'

/**
 * The probability that a standard normal variable is below z. Up to |z| = 1 it is 1/2 plus an odd
 * polynomial, so that it is exactly 1/2 at zero; beyond, the density times Mills' ratio, so that
 * the lower tail keeps its digits. The relative error is below 1e-15 until the result becomes
 * subnormal at z = -37.5.
 */
export function normalCdf(z: number): number {
  if (z >= -1 && z <= 1) return 0.5 + z * polynomial(centralCdf, z * z)
  return z > 0 ? 1 - tailProbability(z) : tailProbability(-z)
}

/** The probability of a value beyond `distance`, which is at least 1. */
function tailProbability(distance: number): number {
  if (distance > 39) return 0
  const square = distance * distance
  const squareLow = productError(distance, distance, square)
  // The root of the density is always a normal number, so that only the last product may underflow.
  const rootOfDensity = expOfSum(-0.25 * square, -0.25 * squareLow)
  const reach = distance + 5
  const ratio = polynomial(tailCdf, (distance - 5) / reach) / reach
  return rootOfDensity * (rootOfDensity * ratio)
}
