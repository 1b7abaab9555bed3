import { bitsFrom, bitsTo, highestBit, lowestBit } from './bits.js'
import type { Sixty } from './sixty.js'

const onlySecondZero = 1

/** The matching seconds of a day: hours x minutes x seconds. Every search is a few bit moves. */
export class TimeOfDay {
  readonly hours: number
  readonly minutes: Sixty
  readonly seconds: Sixty
  readonly first: number
  readonly last: number
  readonly #wholeMinutes: boolean

  constructor(hours: number, minutes: Sixty, seconds: Sixty) {
    this.hours = hours
    this.minutes = minutes
    this.seconds = seconds
    this.#wholeMinutes = seconds.low === onlySecondZero && seconds.high === 0
    this.first = lowestBit(hours) * 3600 + minutes.first * 60 + seconds.first
    this.last = highestBit(hours) * 3600 + minutes.last * 60 + seconds.last
  }

  has(second: number): boolean {
    const hour = (second / 3600) | 0
    const minute = ((second - hour * 3600) / 60) | 0
    return (
      ((this.hours >>> hour) & 1) === 1 &&
      this.minutes.has(minute) &&
      this.seconds.has(second - hour * 3600 - minute * 60)
    )
  }

  /** Smallest matching second of the day >= `second`, or -1. */
  atOrAfter(second: number): number {
    if (second > this.last) return -1
    if (!this.#wholeMinutes) return this.#secondAtOrAfter(second)
    const minuteOfDay = ((second + 59) / 60) | 0
    const hour = (minuteOfDay / 60) | 0
    if (((this.hours >>> hour) & 1) === 1) {
      const minute = this.minutes.atOrAfter(minuteOfDay - hour * 60)
      if (minute >= 0) return hour * 3600 + minute * 60
    }
    return this.#inHourAfter(hour)
  }

  /** Greatest matching second of the day <= `second`, or -1. */
  atOrBefore(second: number): number {
    if (second < this.first) return -1
    const hour = (second / 3600) | 0
    if (((this.hours >>> hour) & 1) === 1) {
      const minute = ((second - hour * 3600) / 60) | 0
      if (this.minutes.has(minute)) {
        const found = this.seconds.atOrBefore(second - hour * 3600 - minute * 60)
        if (found >= 0) return hour * 3600 + minute * 60 + found
      }
      const earlier = this.minutes.atOrBefore(minute - 1)
      if (earlier >= 0) return hour * 3600 + earlier * 60 + this.seconds.last
    }
    const hours = hour === 0 ? 0 : bitsTo(this.hours, hour - 1)
    if (hours === 0) return -1
    return highestBit(hours) * 3600 + this.minutes.last * 60 + this.seconds.last
  }

  /** The smallest distance between two matching seconds of one day, or Infinity if there is one. */
  smallestGap(): number {
    const unit = this.#wholeMinutes ? 60 : 1
    let smallest = Number.POSITIVE_INFINITY
    for (let at = this.first; smallest > unit; ) {
      const next = this.atOrAfter(at + 1)
      if (next < 0) break
      smallest = Math.min(smallest, next - at)
      at = next
    }
    return smallest
  }

  #secondAtOrAfter(second: number): number {
    const hour = (second / 3600) | 0
    if (((this.hours >>> hour) & 1) === 1) {
      const minute = ((second - hour * 3600) / 60) | 0
      if (this.minutes.has(minute)) {
        const found = this.seconds.atOrAfter(second - hour * 3600 - minute * 60)
        if (found >= 0) return hour * 3600 + minute * 60 + found
      }
      const later = this.minutes.atOrAfter(minute + 1)
      if (later >= 0) return hour * 3600 + later * 60 + this.seconds.first
    }
    return this.#inHourAfter(hour)
  }

  #inHourAfter(hour: number): number {
    const hours = bitsFrom(this.hours, hour + 1)
    if (hours === 0) return -1
    return lowestBit(hours) * 3600 + this.minutes.first * 60 + this.seconds.first
  }
}
