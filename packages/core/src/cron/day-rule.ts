import { weekdayOf } from '../calendar/civil.js'
import {
  daysBefore,
  daysPerCycle,
  firstCycleDay,
  isLeapType,
  monthOfYearDay,
  yearOfCycleDay,
  yearStart,
  yearsPerCycle,
  yearType,
} from '../calendar/year-table.js'
import { bitsFrom, bitsTo, highestBit, lowestBit } from './bits.js'
import { type MonthDays, monthDaysIn } from './month-days.js'

const allMonths = 0b1_1111_1111_1110
const allWeekdays = 0b111_1111

/** How a day is matched: never by a calendar if it can be told from the weekday alone. */
const everyDay = 0
const byWeekday = 1
const byCalendar = 2

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

  constructor(fields: DayFields) {
    const { dayRestricted, weekdayRestricted, monthDays } = fields
    const anyDay = !dayRestricted && !weekdayRestricted
    this.#months = fields.months
    this.#days = dayRestricted || anyDay ? fields.days : 0
    this.#weekdays = weekdayRestricted ? fields.weekdays : 0
    this.#monthDays = monthDays
    let kind = byCalendar
    if (fields.months === allMonths && monthDays.length === 0) {
      if (anyDay || this.#weekdays === allWeekdays) kind = everyDay
      else if (!dayRestricted) kind = byWeekday
    }
    this.#kind = kind
  }

  has(day: number): boolean {
    return this.atOrAfter(day) === day
  }

  /** The first matching day >= `day`, or NaN when there is none at all. */
  atOrAfter(day: number): number {
    if (this.#kind === everyDay) return day
    if (this.#kind === byWeekday) {
      const weekday = weekdayOf(day)
      // Two weeks in a row, so that the search never has to wrap around.
      const fortnight = this.#weekdays | (this.#weekdays << 7)
      return day + lowestBit(bitsFrom(fortnight, weekday)) - weekday
    }
    const cycle = Math.floor((day - firstCycleDay) / daysPerCycle)
    const base = firstCycleDay + cycle * daysPerCycle
    const found = this.#cycleAtOrAfter((day - base) | 0)
    if (found >= 0) return base + found
    // Not in the rest of this cycle: the next one has it, or none has.
    return base + daysPerCycle + orNever(this.#cycleAtOrAfter(0))
  }

  /** The last matching day <= `day`, or NaN when there is none at all. */
  atOrBefore(day: number): number {
    if (this.#kind === everyDay) return day
    if (this.#kind === byWeekday) {
      const weekday = weekdayOf(day) + 7
      const fortnight = this.#weekdays | (this.#weekdays << 7)
      return day + highestBit(bitsTo(fortnight, weekday)) - weekday
    }
    const cycle = Math.floor((day - firstCycleDay) / daysPerCycle)
    const base = firstCycleDay + cycle * daysPerCycle
    const found = this.#cycleAtOrBefore((day - base) | 0)
    if (found >= 0) return base + found
    return base - daysPerCycle + orNever(this.#cycleAtOrBefore(daysPerCycle - 1))
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

  /** Searches month by month, allowed ones only, to the end of the 400 years; -1 if in vain. */
  #cycleAtOrAfter(day: number): number {
    let year = yearOfCycleDay(day)
    let type = yearType(year)
    let leap = isLeapType(type)
    const dayOfYear = day - yearStart(year)
    let month = monthOfYearDay(leap, dayOfYear)
    let from = dayOfYear - daysBefore(leap, month) + 1
    for (;;) {
      if (((this.#months >>> month) & 1) === 1) {
        const bits = bitsFrom(this.#daysOf(type, leap, month), from)
        if (bits !== 0) return yearStart(year) + daysBefore(leap, month) + lowestBit(bits) - 1
      }
      from = 1
      const later = bitsFrom(this.#months, month + 1)
      if (later !== 0) month = lowestBit(later)
      else {
        if (++year === yearsPerCycle) return -1
        type = yearType(year)
        leap = isLeapType(type)
        month = lowestBit(this.#months)
      }
    }
  }

  #cycleAtOrBefore(day: number): number {
    let year = yearOfCycleDay(day)
    let type = yearType(year)
    let leap = isLeapType(type)
    const dayOfYear = day - yearStart(year)
    let month = monthOfYearDay(leap, dayOfYear)
    let to = dayOfYear - daysBefore(leap, month) + 1
    for (;;) {
      if (((this.#months >>> month) & 1) === 1) {
        const bits = bitsTo(this.#daysOf(type, leap, month), to)
        if (bits !== 0) return yearStart(year) + daysBefore(leap, month) + highestBit(bits) - 1
      }
      to = 31
      const earlier = bitsTo(this.#months, month - 1)
      if (earlier !== 0) month = highestBit(earlier)
      else {
        if (--year < 0) return -1
        type = yearType(year)
        leap = isLeapType(type)
        month = highestBit(this.#months)
      }
    }
  }

  /** Matching days of a month, as bits 1..31, in a year of this type. */
  #daysOf(type: number, leap: number, month: number): number {
    const before = daysBefore(leap, month)
    const length = daysBefore(leap, month + 1) - before
    let bits = this.#days
    if (this.#weekdays !== 0 || this.#monthDays.length !== 0) {
      const first = (type + before) % 7
      const week = ((this.#weekdays >>> first) | (this.#weekdays << (7 - first))) & allWeekdays
      bits |= (week | (week << 7) | (week << 14) | (week << 21) | (week << 28)) << 1
      for (const extra of this.#monthDays) bits |= monthDaysIn(extra, length, first)
    }
    return bits & (length === 31 ? -2 : (2 << length) - 2)
  }
}

const orNever = (found: number): number => (found < 0 ? Number.NaN : found)
