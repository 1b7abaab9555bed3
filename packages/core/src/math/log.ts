import { logOfSum } from './log-kernel.js'

/** The natural logarithm of x. */
export function log(x: number): number {
  if (x > 0) return x === Number.POSITIVE_INFINITY ? x : logOfSum(x, 0)
  return x === 0 ? Number.NEGATIVE_INFINITY : Number.NaN
}
