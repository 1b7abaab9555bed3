import { powerOfTwo } from './float-bits.js'
import { powersOfTwo } from './generated/powers-of-two.js'
import { orderedSumError, productError, sumError } from './rounding-error.js'

/**
 * exp(x) = 2^(steps/64) * exp(r), with `steps` the multiple of ln2/64 nearest to x, so |r| is below
 * 0.0055. The power comes from a table of 64 double-doubles, exp(r) - 1 from its Taylor series with
 * r + r²/2 kept as a double-double. The relative error before the last rounding is below 2^-67, or
 * 0.0001 units in the last place.
 */

const stepsPerUnit = 92.33248261689366 // 64 / ln2
const stepHigh = 0.010830424696223417 // ln2 / 64, cut to 36 bits: times any `steps` it is exact
const stepLow = 2.572804622327669e-14

/** The low part of what the functions of this file answered last; read it before calling again. */
const expRemainder = new Float64Array(1)

/** The number of whole steps of ln2/64 in `x`, to the nearest. */
function stepsIn(x: number): number {
  return Math.floor(x * stepsPerUnit + 0.5)
}

/** exp(high + low - steps * ln2/64) - 1, its low part in `expRemainder`. */
function reducedExpm1(high: number, low: number, steps: number): number {
  const coarse = high - steps * stepHigh
  const fine = low - steps * stepLow
  const r = coarse + fine
  const rLow = sumError(coarse, fine, r)

  const square = r * r
  const half = 0.5 * square
  const halfLow = 0.5 * productError(r, r, square) + r * rLow
  const cubic =
    square *
    r *
    (1 / 6 +
      (1 / 24) * r +
      square * (1 / 120 + (1 / 720) * r + square * (1 / 5040 + (1 / 40_320) * r)))
  const result = r + half
  expRemainder[0] = orderedSumError(r, half, result) + (rLow + halfLow + cubic)
  return result
}

/** exp(high + low) / 2^floor(steps/64), from 0.99 up to 2; its low part in `expRemainder`. */
function expFraction(high: number, low: number, steps: number): number {
  const growth = reducedExpm1(high, low, steps)
  const growthLow = expRemainder[0]!
  const index = (steps & 63) << 1
  const power = powersOfTwo[index]!
  const powerLow = powersOfTwo[index + 1]!
  const product = power * growth
  const productLow = productError(power, growth, product)
  const sum = power + product
  const sumLow =
    orderedSumError(power, product, sum) +
    (productLow + (powerLow + (power * growthLow + powerLow * growth)))
  const result = sum + sumLow
  expRemainder[0] = orderedSumError(sum, sumLow, result)
  return result
}

/** exp(high + low) for a `low` that is below one unit in the last place of `high`. */
export function expOfSum(high: number, low: number): number {
  if (high > 709.79) return Number.POSITIVE_INFINITY
  if (high < -745.2) return 0
  const steps = stepsIn(high)
  const fraction = expFraction(high, low, steps)
  const exponent = steps >> 6
  if (exponent > 1023) return fraction * powerOfTwo(1023) * 2
  if (exponent > -1022) return fraction * powerOfTwo(exponent)
  return subnormal(fraction, expRemainder[0]!, exponent)
}

/**
 * (high + low) * 2^exponent where the result may have less than 53 bits. Scaling the rounded `high`
 * would round twice; adding a number whose last place is that of the result rounds only once.
 */
function subnormal(high: number, low: number, exponent: number): number {
  if (exponent === -1022 && high >= 1) return high * powerOfTwo(exponent)
  const anchor = powerOfTwo(-1022 - exponent)
  const sum = anchor + high
  const rounded = sum + (orderedSumError(anchor, high, sum) + low)
  return (rounded - anchor) * powerOfTwo(exponent + 200) * powerOfTwo(-200)
}

/** e^x. */
export function exp(x: number): number {
  return expOfSum(x, 0)
}

const tiny = 5.551115123125783e-17 // 2^-54: below it the result rounds to x itself

/** e^x - 1 without the cancellation of `exp(x) - 1` around zero. */
export function expm1(x: number): number {
  if (x < tiny && x > -tiny) return x
  if (x > 60) return expOfSum(x, 0) // the 1 is far below the last place
  if (x < -50) return -1
  const steps = stepsIn(x)
  if (steps === 0) return reducedExpm1(x, 0, 0) + expRemainder[0]!
  const scale = powerOfTwo(steps >> 6)
  const power = expFraction(x, 0, steps) * scale
  const difference = power - 1
  return difference + (sumError(power, -1, difference) + expRemainder[0]! * scale)
}
