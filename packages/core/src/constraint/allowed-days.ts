import {
  civilFromDay,
  dayOfMonthOf,
  daysInMonth,
  monthOf,
  weekdayOf,
  yearOf,
} from '../calendar/civil.js'
import { bitsFrom, lowestBit } from '../cron/bits.js'
import { allowedValues, type Clause, type ClauseKind } from './clause.js'
import { contains, type Ranges, rangeAtOrAfter } from './ranges.js'

/** Answers when no day is allowed any more: later than any date can be. */
export const noAllowedDay = 2 ** 30
const latestDay = 100_000_001

/** The days that the clauses on weekday, day of month, month and date leave over. */
export class AllowedDays {
  /** One bit for each ISO weekday, day of month, month. */
  readonly #weekdays: number
  readonly #daysOfMonth: number
  readonly #months: number
  readonly #looksAtCivil: boolean
  /** Days since 1970, or null when any date will do. */
  readonly #days: Ranges | null
  /** Whether some day of the calendar is allowed, dates aside. */
  readonly #possible: boolean

  constructor(only: readonly Clause[], avoid: readonly Clause[]) {
    const allowed = (kind: ClauseKind, min: number, max: number) =>
      allowedValues(kind, only, avoid, min, max)
    const looksAt = (kind: ClauseKind) => [...only, ...avoid].some((clause) => clause.kind === kind)
    this.#weekdays = bitsOf(allowed('dow', 1, 7))
    this.#daysOfMonth = bitsOf(allowed('dom', 1, 31))
    this.#months = bitsOf(allowed('months', 1, 12))
    this.#looksAtCivil = looksAt('dom') || looksAt('months')
    this.#days = looksAt('date') ? allowed('date', -Infinity, Infinity) : null
    // Every weekday comes round on every date of the calendar, 29 February included.
    this.#possible = this.#weekdays !== 0 && this.#someMonthHasSuchADay()
  }

  has(day: number): boolean {
    if (((this.#weekdays >> isoWeekday(day)) & 1) === 0) return false
    if (this.#looksAtCivil) {
      const civil = civilFromDay(day)
      if (((this.#months >> monthOf(civil)) & 1) === 0) return false
      if (((this.#daysOfMonth >> dayOfMonthOf(civil)) & 1) === 0) return false
    }
    return this.#days === null || contains(this.#days, day)
  }

  /** The first allowed day >= `day`, or `noAllowedDay`. */
  atOrAfter(day: number): number {
    if (!this.#possible) return noAllowedDay
    let found = day
    while (found < latestDay) {
      const next = this.#inCalendar(this.#inDates(found))
      if (next === found) return found
      found = next
    }
    return noAllowedDay
  }

  /** The first and the last day on which dates say something; both 0 when none does. */
  get span(): readonly [first: number, last: number] {
    const bounds = (this.#days ?? []).filter(Number.isFinite)
    return bounds.length === 0 ? [0, 0] : [bounds[0]!, bounds.at(-1)!]
  }

  #inDates(day: number): number {
    if (this.#days === null) return day
    const range = rangeAtOrAfter(this.#days, day)
    return range < this.#days.length ? Math.max(day, this.#days[range]!) : noAllowedDay
  }

  /** The day itself when the calendar allows it, else one that comes before all it allows. */
  #inCalendar(day: number): number {
    if (this.#looksAtCivil && day < latestDay) {
      const civil = civilFromDay(day)
      const dayOfMonth = dayOfMonthOf(civil)
      const left = daysInMonth(yearOf(civil), monthOf(civil)) - dayOfMonth
      if (((this.#months >> monthOf(civil)) & 1) === 0) return day + left + 1
      const later = bitsFrom(this.#daysOfMonth, dayOfMonth)
      const days = later === 0 ? left + 1 : lowestBit(later) - dayOfMonth
      if (days > 0) return day + Math.min(days, left + 1)
    }
    const weekday = isoWeekday(day)
    // Two weeks in a row, so that the search never has to wrap around.
    const fortnight = this.#weekdays | (this.#weekdays << 7)
    return day + lowestBit(bitsFrom(fortnight, weekday)) - weekday
  }

  #someMonthHasSuchADay(): boolean {
    for (let months = this.#months; months !== 0; months &= months - 1) {
      const existing = (2 << daysInMonth(2000, lowestBit(months))) - 2
      if ((this.#daysOfMonth & existing) !== 0) return true
    }
    return false
  }
}

function bitsOf(ranges: Ranges): number {
  let bits = 0
  for (let i = 0; i < ranges.length; i += 2) {
    for (let value = ranges[i]!; value <= ranges[i + 1]!; value++) bits |= 1 << value
  }
  return bits
}

export function isoWeekday(day: number): number {
  const weekday = weekdayOf(day)
  return weekday === 0 ? 7 : weekday
}
