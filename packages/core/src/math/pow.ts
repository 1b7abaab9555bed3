import { expOfSum } from './exp.js'
import { logOfSum, logRemainder } from './log.js'
import { productError } from './rounding-error.js'

// The logarithm of a double other than 1 is between 2^-53 and 745 in magnitude, so beyond these
// exponents the result is infinite, zero or one.
const hugeExponent = 1e19
const tinyExponent = 1e-20

/**
 * x^y for x >= 0; NaN for a negative x, even if y is whole. Zero and infinity behave as in C99,
 * which differs from `Math.pow` in that 1^y is 1 for every y; -0 counts as 0. Exponents that have
 * a correctly rounded operation of their own use it; the others are within 0.51 units in the last
 * place.
 */
export function pow(x: number, y: number): number {
  if (y === 0 || x === 1) return 1
  if (!(x >= 0) || Number.isNaN(y)) return Number.NaN
  if (x === 0) return y > 0 ? 0 : Number.POSITIVE_INFINITY
  if (x === Number.POSITIVE_INFINITY) return y > 0 ? x : 0
  if (y === 1) return x
  if (y === 2) return x * x
  if (y === 0.5) return Math.sqrt(x)
  if (y === -1) return 1 / x
  return powByLogarithm(x, y)
}

function powByLogarithm(x: number, y: number): number {
  if (y > hugeExponent) return x > 1 ? Number.POSITIVE_INFINITY : 0
  if (y < -hugeExponent) return x > 1 ? 0 : Number.POSITIVE_INFINITY
  if (y < tinyExponent && y > -tinyExponent) return 1
  const log = logOfSum(x, 0)
  const logLow = logRemainder[0]!
  const product = y * log
  return expOfSum(product, productError(y, log, product) + y * logLow)
}
