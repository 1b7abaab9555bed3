import { civilFromDay, dayOfMonthOf, monthOf, weekdayOf } from '../calendar/civil.js'
import { allowedValues, type Clause, type ClauseKind, union } from './clause.js'
import { contains, intersection, type Ranges } from './ranges.js'
import { minutesPerDay } from './time-clause.js'

/** The part of a time zone that constraints need. */
export interface ZoneOffsets {
  /** Seconds east of UTC. */
  offsetAt(epochSeconds: number): number
  /** Epoch seconds of the first change of offset strictly after, or Infinity. */
  nextTransition(epochSeconds: number): number
}

const secondsPerDay = 86_400

/**
 * Compiled `only` and `avoid`. Each clause looks either at the day or at the time of day and never
 * at both, so that together they are two sets: a second is allowed when its day is in the one and
 * its minute in the other. `only` narrows a set once for each kind, `avoid` once for each clause.
 */
export class Constraints {
  readonly only: readonly string[]
  readonly avoid: readonly string[]
  readonly #onlyClauses: readonly Clause[]
  readonly #avoidClauses: readonly Clause[]
  /** One bit for each minute of the day. */
  readonly #minutes: Int32Array
  /** The same as stretches in seconds since midnight, both ends included. */
  readonly #timesOfDay: Float64Array
  /** One bit for each ISO weekday, day of month, month. */
  readonly #weekdays: number
  readonly #daysOfMonth: number
  readonly #months: number
  readonly #looksAtCivil: boolean
  /** Days since 1970, or null when any date will do. */
  readonly #days: Ranges | null

  constructor(only: readonly Clause[], avoid: readonly Clause[]) {
    this.only = Object.freeze(only.map((clause) => clause.text))
    this.avoid = Object.freeze(avoid.map((clause) => clause.text))
    this.#onlyClauses = only
    this.#avoidClauses = avoid
    const allowed = (kind: ClauseKind, min: number, max: number) =>
      allowedValues(kind, only, avoid, min, max)
    const hours = allowed('hours', 0, 23).map((hour, index) => hour * 60 + (index % 2) * 59)
    const minutes = intersection(hours, allowed('between', 0, minutesPerDay - 1))
    this.#minutes = bitsOf(minutes, minutesPerDay)
    this.#timesOfDay = Float64Array.from(minutes, (minute, i) => minute * 60 + (i % 2) * 59)
    this.#weekdays = bitsOf(allowed('dow', 1, 7), 8)[0]!
    this.#daysOfMonth = bitsOf(allowed('dom', 1, 31), 32)[0]!
    this.#months = bitsOf(allowed('months', 1, 12), 13)[0]!
    const looksAt = (kind: ClauseKind) => [...only, ...avoid].some((clause) => clause.kind === kind)
    this.#looksAtCivil = looksAt('dom') || looksAt('months')
    this.#days = looksAt('date') ? allowed('date', -Infinity, Infinity) : null
  }

  /** Whether a local second (epoch seconds plus the zone's offset, whole) is allowed. */
  allows(localSeconds: number): boolean {
    const day = Math.floor(localSeconds / secondsPerDay)
    const minute = ((localSeconds - day * secondsPerDay) / 60) | 0
    return ((this.#minutes[minute >> 5]! >> (minute & 31)) & 1) === 1 && this.#allowsDay(day)
  }

  /** What rejects a local second, such as `only hours=8-18` or `avoid dow=SUN`; null if allowed. */
  rejectedBy(localSeconds: number): string | null {
    for (const kind of new Set(this.#onlyClauses.map((clause) => clause.kind))) {
      const alternatives = this.#onlyClauses.filter((clause) => clause.kind === kind)
      if (contains(union(alternatives), valueAt(kind, localSeconds))) continue
      return `only ${alternatives.map((clause) => clause.text).join(';')}`
    }
    const held = this.#avoidClauses.find(({ kind, ranges }) =>
      contains(ranges, valueAt(kind, localSeconds)),
    )
    return held === undefined ? null : `avoid ${held.text}`
  }

  /**
   * The allowed epoch seconds from `start` to `end`, both whole and included, as `first, last`
   * pairs: ascending, not touching. Works a day at a time between two changes of the offset.
   */
  allowedRuns(zone: ZoneOffsets, start: number, end: number): Float64Array {
    const runs: number[] = []
    let from = start
    while (from <= end) {
      const until = Math.min(end, zone.nextTransition(from) - 1)
      this.#addRuns(runs, from, until, zone.offsetAt(from))
      from = until + 1
    }
    return Float64Array.from(runs)
  }

  #addRuns(runs: number[], from: number, until: number, offset: number): void {
    const times = this.#timesOfDay
    const lastDay = Math.floor((until + offset) / secondsPerDay)
    for (let day = Math.floor((from + offset) / secondsPerDay); day <= lastDay; day++) {
      if (!this.#allowsDay(day)) continue
      const midnight = day * secondsPerDay - offset
      for (let i = 0; i < times.length; i += 2) {
        const first = Math.max(from, midnight + times[i]!)
        const last = Math.min(until, midnight + times[i + 1]!)
        if (first > last) continue
        if (runs[runs.length - 1] === first - 1) runs[runs.length - 1] = last
        else runs.push(first, last)
      }
    }
  }

  #allowsDay(day: number): boolean {
    if (((this.#weekdays >> isoWeekday(day)) & 1) === 0) return false
    if (this.#looksAtCivil) {
      const civil = civilFromDay(day)
      if (((this.#months >> monthOf(civil)) & 1) === 0) return false
      if (((this.#daysOfMonth >> dayOfMonthOf(civil)) & 1) === 0) return false
    }
    return this.#days === null || contains(this.#days, day)
  }
}

function bitsOf(ranges: Ranges, size: number): Int32Array {
  const bits = new Int32Array(Math.ceil(size / 32))
  for (let i = 0; i < ranges.length; i += 2) {
    for (let value = ranges[i]!; value <= ranges[i + 1]!; value++) {
      bits[value >> 5]! |= 1 << (value & 31)
    }
  }
  return bits
}

function isoWeekday(day: number): number {
  const weekday = weekdayOf(day)
  return weekday === 0 ? 7 : weekday
}

function valueAt(kind: ClauseKind, localSeconds: number): number {
  const day = Math.floor(localSeconds / secondsPerDay)
  const secondOfDay = localSeconds - day * secondsPerDay
  switch (kind) {
    case 'hours':
      return Math.floor(secondOfDay / 3600)
    case 'between':
      return Math.floor(secondOfDay / 60)
    case 'dow':
      return isoWeekday(day)
    case 'dom':
      return dayOfMonthOf(civilFromDay(day))
    case 'months':
      return monthOf(civilFromDay(day))
    case 'date':
      return day
  }
}
