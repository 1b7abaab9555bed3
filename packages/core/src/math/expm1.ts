import { expFraction, expOfSum, expRemainder, reducedExpm1, stepsIn } from './exp-kernel.js'
import { powerOfTwo } from './float-bits.js'
import { sumError } from './rounding-error.js'

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
