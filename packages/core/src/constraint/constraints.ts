import { civilFromDay, dayOfMonthOf, monthOf } from '../calendar/civil.js'
import { AllowedDays, isoWeekday, noAllowedDay } from './allowed-days.js'
import {
  allowedValues,
  type Clause,
  type ClauseKind,
  type ConstraintSpec,
  maxClauses,
  union,
} from './clause.js'
import { readClauses, tooManyClauses } from './parse-clauses.js'
import { contains, intersection, type Ranges, rangeAtOrAfter } from './ranges.js'
import { minutesPerDay } from './time-clause.js'

/** The part of a time zone that constraints need. */
export interface ZoneOffsets {
  /** Seconds east of UTC. */
  offsetAt(epochSeconds: number): number
  /** Epoch seconds of the first change of offset strictly after, or Infinity. */
  nextTransition(epochSeconds: number): number
}

const secondsPerDay = 86_400
/** No wall clock is further from UTC than this. */
const widestOffset = 26 * 3600

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
  readonly timesOfDay: Float64Array
  readonly days: AllowedDays

  constructor(only: readonly Clause[], avoid: readonly Clause[]) {
    this.only = Object.freeze(only.map((clause) => clause.text))
    this.avoid = Object.freeze(avoid.map((clause) => clause.text))
    this.#onlyClauses = only
    this.#avoidClauses = avoid
    const allowed = (kind: ClauseKind, max: number) => allowedValues(kind, only, avoid, 0, max)
    const hours = allowed('hours', 23).map((hour, index) => hour * 60 + (index % 2) * 59)
    const minutes = intersection(hours, allowed('between', minutesPerDay - 1))
    this.#minutes = bitsOf(minutes, minutesPerDay)
    this.timesOfDay = Float64Array.from(minutes, (minute, i) => minute * 60 + (i % 2) * 59)
    this.days = new AllowedDays(only, avoid)
  }

  /** Whether a local second (epoch seconds plus the zone's offset, whole) is allowed. */
  allows(localSeconds: number): boolean {
    const day = Math.floor(localSeconds / secondsPerDay)
    const minute = ((localSeconds - day * secondsPerDay) / 60) | 0
    return ((this.#minutes[minute >> 5]! >> (minute & 31)) & 1) === 1 && this.days.has(day)
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

  /**
   * The first allowed epoch second >= `second`, or Infinity. Where the clock goes back the wall
   * time that comes again is looked at again; otherwise a search goes on from what it found.
   */
  firstAllowed(zone: ZoneOffsets, second: number): number {
    for (let from = second; ; ) {
      const local = from + zone.offsetAt(from)
      const allowed = this.#localAtOrAfter(local)
      const until = zone.nextTransition(from)
      const at = from + allowed - local
      if (at < until || until === Number.POSITIVE_INFINITY) return at
      const goesBack = until + zone.offsetAt(until) < local
      from = goesBack ? until : Math.max(until, allowed - widestOffset)
      if (from === Number.POSITIVE_INFINITY) return from
    }
  }

  #localAtOrAfter(local: number): number {
    const times = this.timesOfDay
    if (times.length === 0) return Number.POSITIVE_INFINITY
    const day = Math.floor(local / secondsPerDay)
    const allowed = this.days.atOrAfter(day)
    if (allowed === day) {
      const time = local - day * secondsPerDay
      const range = rangeAtOrAfter(times, time)
      if (range < times.length) return day * secondsPerDay + Math.max(time, times[range]!)
    }
    const next = allowed > day ? allowed : this.days.atOrAfter(day + 1)
    return next === noAllowedDay ? Number.POSITIVE_INFINITY : next * secondsPerDay + times[0]!
  }

  #addRuns(runs: number[], from: number, until: number, offset: number): void {
    const times = this.timesOfDay
    const lastDay = Math.floor((until + offset) / secondsPerDay)
    for (let day = Math.floor((from + offset) / secondsPerDay); day <= lastDay; day++) {
      if (!this.days.has(day)) continue
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

/** The constraints in the form that is asked for every candidate; null when there are none. */
export function compileConstraints(spec: ConstraintSpec): Constraints | null {
  const only = readClauses(spec.only, 'constraints.only')
  const avoid = readClauses(spec.avoid, 'constraints.avoid')
  if (only.length + avoid.length > maxClauses) throw tooManyClauses('constraints')
  return only.length + avoid.length === 0 ? null : new Constraints(only, avoid)
}
