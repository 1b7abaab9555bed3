import { logOfSum, logRemainder, reducedLog1p } from './log-kernel.js'
import { sumError } from './rounding-error.js'

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
