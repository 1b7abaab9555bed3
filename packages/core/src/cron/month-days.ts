import { highestBit } from './bits.js'

/** What Quartz adds to the two day fields; each depends on the month it is in. */
export interface MonthDays {
  /** `L`: the last day. */
  readonly lastDay: boolean
  /** `LW`: the last day from Monday to Friday. */
  readonly lastWorkday: boolean
  /** `nW`: the day from Monday to Friday nearest to n, within the month. Bit n. */
  readonly nearestWorkdays: number
  /** `n#k`: the k-th weekday n. */
  readonly nth: readonly { readonly weekday: number; readonly nth: number }[]
  /** `nL`: the last weekday n. Bit n. */
  readonly lastWeekdays: number
}

/** The days (bits 1..31) of a month of `length` days whose first is `firstWeekday`. */
export function monthDaysIn(days: MonthDays, length: number, firstWeekday: number): number {
  let bits = 0
  if (days.lastDay) bits |= 1 << length
  if (days.lastWorkday) bits |= 1 << nearestWorkday(length, length, firstWeekday)
  for (let rest = days.nearestWorkdays; rest !== 0; ) {
    const target = highestBit(rest)
    rest &= ~(1 << target)
    if (target <= length) bits |= 1 << nearestWorkday(target, length, firstWeekday)
  }
  for (const { weekday, nth } of days.nth) {
    const day = firstOf(weekday, firstWeekday) + (nth - 1) * 7
    if (day <= length) bits |= 1 << day
  }
  for (let rest = days.lastWeekdays; rest !== 0; ) {
    const weekday = highestBit(rest)
    rest &= ~(1 << weekday)
    const first = firstOf(weekday, firstWeekday)
    bits |= 1 << (first + 7 * Math.floor((length - first) / 7))
  }
  return bits
}

const firstOf = (weekday: number, firstWeekday: number): number =>
  1 + ((weekday - firstWeekday + 7) % 7)

/** A Saturday moves back, a Sunday forward, but never out of the month. */
function nearestWorkday(day: number, length: number, firstWeekday: number): number {
  const weekday = (firstWeekday + day - 1) % 7
  if (weekday === 6) return day === 1 ? 3 : day - 1
  if (weekday === 0) return day === length ? day - 2 : day + 1
  return day
}
