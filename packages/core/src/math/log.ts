import { highWord, powerOfTwo, withHighWord } from './float-bits.js'
import { logarithms } from './generated/logarithms.js'
import { orderedSumError, productError, sumError, upperHalf } from './rounding-error.js'

/**
 * log(x) = k * ln2 + log(1/c) + log(1 + r), with x = 2^k * m, m from 0.6875 to 1.375, and c one of
 * 128 numbers of 11 bits close to 1/m, so that r = m * c - 1 is exact as a double-double and
 * |r| <= 2^-7. Around 1 both k and log(1/c) are zero, and nothing cancels. The relative error
 * before the last rounding is below 2^-67, and far smaller away from 1.
 */

const firstFractionHigh = 0x3fe6_0000 // the upper word of 0.6875
const ln2High = 0.6931471805598903 // cut to a multiple of 2^-42: times any `k` it is exact
const ln2Low = 5.497923018708371e-14
const third = 1 / 3
const thirdLow = 1.850371707708594e-17

/** The low part of what the functions of this file answered last; read it before calling again. */
export const logRemainder = new Float64Array(1)

/** log(1 + high + low) for |high| <= 2^-7, its low part in `logRemainder`. */
function reducedLog1p(high: number, low: number): number {
  const square = high * high
  const squareLow = productError(high, high, square) + 2 * high * low
  // log1p(r) = r + r² * (-1/2 + r * (1/3 + r * tail))
  const tail =
    -1 / 4 +
    (1 / 5) * high +
    square *
      (-1 / 6 +
        (1 / 7) * high +
        square * (-1 / 8 + (1 / 9) * high + square * (-1 / 10 + (1 / 11) * high)))
  const slope = high * tail
  const inner = third + slope
  const innerLow = orderedSumError(third, slope, inner) + thirdLow
  const product = high * inner
  const productLow = productError(high, inner, product) + (high * innerLow + low * inner)
  const factor = product - 0.5
  const factorLow = orderedSumError(-0.5, product, factor) + productLow
  const bend = square * factor
  const bendLow = productError(square, factor, bend) + (square * factorLow + squareLow * factor)
  const result = high + bend
  logRemainder[0] = orderedSumError(high, bend, result) + (low + bendLow)
  return result
}

/**
 * log(high + low) for a finite `high` above zero and a `low` below one unit in its last place; its
 * low part in `logRemainder`.
 */
export function logOfSum(high: number, low: number): number {
  let shift = 0
  if (high < 2.2250738585072014e-308) {
    high *= 18_014_398_509_481_984 // 2^54: subnormal numbers have no exponent of their own
    shift = -54
  }
  const word = highWord(high)
  const offset = word - firstFractionHigh
  const exponent = offset >> 20
  const index = ((offset >> 13) & 127) * 3
  const fraction = withHighWord(high, word - (exponent << 20))
  const inverse = logarithms[index]!

  // Both halves of the fraction have exact products with 11 bits. `top` may be the smaller one, but
  // it is a multiple of 2^-37, far above the last place of `rest`, and that is enough for the sum.
  const fractionTop = upperHalf(fraction)
  const top = fractionTop * inverse - 1
  const rest = (fraction - fractionTop) * inverse
  let reduced = top + rest
  let reducedLow = orderedSumError(top, rest, reduced)
  if (low !== 0 && exponent < 200) {
    const sum = reduced
    const sumLow = reducedLow + low * powerOfTwo(-exponent) * inverse
    reduced = sum + sumLow
    reducedLow = sumError(sum, sumLow, reduced)
  }
  const series = reducedLog1p(reduced, reducedLow)
  const seriesLow = logRemainder[0]!

  const octaves = exponent + shift
  const base = octaves * ln2High + logarithms[index + 1]!
  const total = base + series
  const totalLow =
    orderedSumError(base, series, total) + (seriesLow + (octaves * ln2Low + logarithms[index + 2]!))
  const result = total + totalLow
  logRemainder[0] = orderedSumError(total, totalLow, result)
  return result
}

/** The natural logarithm of x. */
export function log(x: number): number {
  if (x > 0) return x === Number.POSITIVE_INFINITY ? x : logOfSum(x, 0)
  return x === 0 ? Number.NEGATIVE_INFINITY : Number.NaN
}

const tiny = 5.551115123125783e-17 // 2^-54: below it the result rounds to x itself
const reducible = 0.0078125 // 2^-7: below it the series alone will do

/** log(1 + x) without the digits that 1 + x loses around zero. */
export function log1p(x: number): number {
  if (x < tiny && x > -tiny) return x
  if (!(x > -1)) return x === -1 ? Number.NEGATIVE_INFINITY : Number.NaN
  if (x === Number.POSITIVE_INFINITY) return x
  if (x < reducible && x > -reducible) return reducedLog1p(x, 0) + logRemainder[0]!
  const sum = 1 + x
  return logOfSum(sum, sumError(1, x, sum))
}
