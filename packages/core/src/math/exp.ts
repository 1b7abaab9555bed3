import { expOfSum } from './exp-kernel.js'

/** e^x. */
export function exp(x: number): number {
  return expOfSum(x, 0)
}
