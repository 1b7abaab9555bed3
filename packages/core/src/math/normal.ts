import { expOfSum } from './exp.js'
import {
  centralCdf,
  centralQuantile,
  tailCdf,
  tailQuantile,
} from './generated/normal-coefficients.js'
import { log } from './log.js'
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

/** c0 + c1*x + c2*x² + … by Horner's rule, in this order of operations and no other. */
function polynomial(coefficients: Float64Array, x: number): number {
  let sum = 0
  for (let i = coefficients.length - 1; i >= 0; i--) sum = sum * x + coefficients[i]!
  return sum
}
