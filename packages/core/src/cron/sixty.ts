import { bitsFrom, bitsTo, highestBit, lowestBit } from './bits.js'

/** A set of numbers 0..59 in two words, with the searches that minutes and seconds need. */
export class Sixty {
  readonly low: number
  readonly high: number
  readonly first: number
  readonly last: number

  constructor(low: number, high: number) {
    this.low = low
    this.high = high
    this.first = low !== 0 ? lowestBit(low) : 32 + lowestBit(high)
    this.last = high !== 0 ? 32 + highestBit(high) : highestBit(low)
  }

  has(value: number): boolean {
    return ((value < 32 ? this.low >>> value : this.high >>> (value - 32)) & 1) === 1
  }

  /** Smallest member >= value, or -1. */
  atOrAfter(value: number): number {
    if (value < 32) {
      const low = bitsFrom(this.low, value)
      if (low !== 0) return lowestBit(low)
      return this.high === 0 ? -1 : 32 + lowestBit(this.high)
    }
    if (value > 59) return -1
    const high = bitsFrom(this.high, value - 32)
    return high === 0 ? -1 : 32 + lowestBit(high)
  }

  /** Greatest member <= value, or -1. */
  atOrBefore(value: number): number {
    if (value >= 32) {
      const high = bitsTo(this.high, value - 32)
      if (high !== 0) return 32 + highestBit(high)
      return this.low === 0 ? -1 : highestBit(this.low)
    }
    if (value < 0) return -1
    const low = bitsTo(this.low, value)
    return low === 0 ? -1 : highestBit(low)
  }
}
