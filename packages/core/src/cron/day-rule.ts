import { weekdayOf } from '../calendar/civil.js'
import {
  bitsOfMonth,
  daysBefore,
  daysPerCycle,
  firstCycleDay,
  firstWeekdayOf,
  leapOf,
  leapYearFrom,
  monthDayOf,
  startOf,
  yearAt,
  yearOfCycleDay,
  yearsPerCycle,
} from '../calendar/year-table.js'
import { bitsFrom, bitsTo, highestBit, lowestBit } from './bits.js'
import { type MonthDays, monthDaysIn } from './month-days.js'

const allMonths = 0b1_1111_1111_1110
const allWeekdays = 0b111_1111

/** How a day is matched: without a calendar where the weekday alone decides. */
const everyDay = 0
const byWeekday = 1
const byCalendar = 2
const never = 3

/** Answers when no day matches: days that no date can hold, later or earlier than all. */
export const noLaterDay = 2 ** 30
export const noEarlierDay = -(2 ** 30)

export interface DayFields {
  /** Bits 1..12. */
  readonly months: number
  /** Bits 1..31. */
  readonly days: number
  readonly dayRestricted: boolean
  /** Bits 0..6, Sunday first. */
  readonly weekdays: number
  readonly weekdayRestricted: boolean
  readonly monthDays: readonly MonthDays[]
}

/** Which days match: day of month OR day of week when both are restricted, in matching months. */
export class DayRule {
  readonly #kind: number
  readonly #months: number
  readonly #days: number
  readonly #weekdays: number
  readonly #monthDays: readonly MonthDays[]
  /** Whether days of the month are all there is to it. */
  readonly #onlyDays: boolean
  // The last answer holds for all days from the one that was asked for up to it: a schedule with
  // several times a day asks again for the same day.
  #askedFrom = 1
  #answer = 0

  constructor(fields: DayFields) {
    const { dayRestricted, weekdayRestricted, monthDays } = fields
    const anyDay = !dayRestricted && !weekdayRestricted
    this.#months = fields.months
    this.#days = dayRestricted || anyDay ? fields.days : 0
    this.#weekdays = weekdayRestricted ? fields.weekdays : 0
    this.#monthDays = monthDays
    this.#onlyDays = this.#weekdays === 0 && monthDays.length === 0
    let kind = byCalendar
    if (fields.months === allMonths && monthDays.length === 0) {
      if (anyDay || this.#weekdays === allWeekdays) kind = everyDay
      else if (!dayRestricted) kind = byWeekday
    } else if (this.#weekdays === 0 && !this.#isPossible()) kind = never
    this.#kind = kind
  }

  has(day: number): boolean {
    return this.atOrAfter(day) === day
  }

  /** The first matching day >= `day`, or `noLaterDay`. */
  atOrAfter(day: number): number {
    if (this.#kind === everyDay) return day
    if (this.#kind === byWeekday) {
      const weekday = weekdayOf(day)
      // Two weeks in a row, so that the search never has to wrap around.
      const fortnight = this.#weekdays | (this.#weekdays << 7)
      return day + lowestBit(bitsFrom(fortnight, weekday)) - weekday
    }
    if (day >= this.#askedFrom && day <= this.#answer) return this.#answer
    this.#answer = this.#calendarAtOrAfter(day)
    this.#askedFrom = day
    return this.#answer
  }

  /** The last matching day <= `day`, or `noEarlierDay`. */
  atOrBefore(day: number): number {
    if (this.#kind === everyDay) return day
    if (this.#kind === byWeekday) {
      const weekday = weekdayOf(day) + 7
      const fortnight = this.#weekdays | (this.#weekdays << 7)
      return day + highestBit(bitsTo(fortnight, weekday)) - weekday
    }
    if (this.#kind === never) return noEarlierDay
    const base = cycleStart(day)
    const found = this.#cycleAtOrBefore(day - base)
    if (found >= 0) return base + found
    const earlier = this.#cycleAtOrBefore(daysPerCycle - 1)
    return earlier >= 0 ? base - daysPerCycle + earlier : noEarlierDay
  }

  /** The smallest number of days from one matching day to the next, over the whole calendar. */
  smallestGap(): number {
    if (this.#kind === everyDay) return 1
    const end = firstCycleDay + daysPerCycle
    let smallest = Number.POSITIVE_INFINITY
    for (let day = this.atOrAfter(firstCycleDay); day < end; ) {
      const next = this.atOrAfter(day + 1)
      if (next - day < smallest) smallest = next - day
      if (smallest === 1) return 1
      day = next
    }
    return smallest
  }

  /**
   * Whether any month ever has a matching day. A leap year has all days that there are; the
   * weekday on which it begins matters to what depends on weekdays.
   */
  #isPossible(): boolean {
    const firstWeekdays = this.#onlyDays ? 1 : 7
    for (let weekday = 0; weekday < firstWeekdays; weekday++) {
      for (let months = this.#months; months !== 0; months &= months - 1) {
        if (this.#daysOf(leapYearFrom(weekday), lowestBit(months)) !== 0) return true
      }
    }
    return false
  }

  #calendarAtOrAfter(day: number): number {
    if (this.#kind === never) return noLaterDay
    const base = cycleStart(day)
    const found = this.#cycleAtOrAfter(day - base)
    if (found >= 0) return base + found
    // Not in the rest of this cycle: the next one has it, or none has.
    const later = this.#cycleAtOrAfter(0)
    return later >= 0 ? base + daysPerCycle + later : noLaterDay
  }

  /** Searches month by month, allowed ones only, through the 400 years; -1 if there is none. */
  #cycleAtOrAfter(day: number): number {
    let index = yearOfCycleDay(day)
    let year = yearAt(index)
    const first = monthDayOf(leapOf(year), day - startOf(year))
    let month = first >> 5
    let from = first & 31
    for (;;) {
      if (((this.#months >>> month) & 1) === 1) {
        const bits = bitsFrom(this.#daysOf(year, month), from)
        if (bits !== 0) {
          return startOf(year) + daysBefore(leapOf(year), month) + lowestBit(bits) - 1
        }
      }
      from = 1
      const later = bitsFrom(this.#months, month + 1)
      if (later !== 0) month = lowestBit(later)
      else {
        if (++index === yearsPerCycle) return -1
        year = yearAt(index)
        month = lowestBit(this.#months)
      }
    }
  }

  #cycleAtOrBefore(day: number): number {
    let index = yearOfCycleDay(day)
    let year = yearAt(index)
    const last = monthDayOf(leapOf(year), day - startOf(year))
    let month = last >> 5
    let to = last & 31
    for (;;) {
      if (((this.#months >>> month) & 1) === 1) {
        const bits = bitsTo(this.#daysOf(year, month), to)
        if (bits !== 0) {
          return startOf(year) + daysBefore(leapOf(year), month) + highestBit(bits) - 1
        }
      }
      to = 31
      const earlier = bitsTo(this.#months, month - 1)
      if (earlier !== 0) month = highestBit(earlier)
      else {
        if (--index < 0) return -1
        year = yearAt(index)
        month = highestBit(this.#months)
      }
    }
  }

  /** Matching days of a month as bits 1..31. */
  #daysOf(year: number, month: number): number {
    const existing = bitsOfMonth(leapOf(year), month)
    return existing & (this.#onlyDays ? this.#days : this.#daysByWeekday(year, month, existing))
  }

  #daysByWeekday(year: number, month: number, existing: number): number {
    const first = (firstWeekdayOf(year) + daysBefore(leapOf(year), month)) % 7
    const week = ((this.#weekdays >>> first) | (this.#weekdays << (7 - first))) & allWeekdays
    let bits = (week | (week << 7) | (week << 14) | (week << 21) | (week << 28)) << 1
    for (let i = 0; i < this.#monthDays.length; i++) {
      bits |= monthDaysIn(this.#monthDays[i]!, highestBit(existing), first)
    }
    return bits | this.#days
  }
}

/** The first day of the 400 years that hold a day. */
function cycleStart(day: number): number {
  const since2000 = day - firstCycleDay
  // Nearly always: a division less.
  if (since2000 >= 0 && since2000 < daysPerCycle) return firstCycleDay
  return firstCycleDay + Math.floor(since2000 / daysPerCycle) * daysPerCycle
}
