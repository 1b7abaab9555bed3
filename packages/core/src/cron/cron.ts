import { checkInstant, latestInstant } from '../calendar/instant.js'
import { utc, Zone, zone as zoneByName } from '../zone/index.js'
import type { DayRule } from './day-rule.js'
import type { Dialect } from './dialect.js'
import type { TimeOfDay } from './time-of-day.js'

const secondsPerDay = 86_400

/**
 * A compiled cron expression. It matches wall-clock seconds; a zone turns them into instants:
 * a wall time that is skipped has none, one that is repeated has two.
 *
 * All searching is done on local seconds (epoch seconds + offset) inside of one segment of
 * constant offset, and carried over to the neighbouring segment when the match lies beyond it.
 */
export class Cron {
  readonly expression: string
  readonly dialect: Dialect
  /** Whether the expression has a seconds field. */
  readonly hasSeconds: boolean
  readonly #days: DayRule
  readonly #time: TimeOfDay

  constructor(
    expression: string,
    dialect: Dialect,
    hasSeconds: boolean,
    days: DayRule,
    time: TimeOfDay,
  ) {
    this.expression = expression
    this.dialect = dialect
    this.hasSeconds = hasSeconds
    this.#days = days
    this.#time = time
  }

  /** The smallest nominal time > `after`, or null when there is none. */
  next(after: number, zone: Zone | string = utc): number | null {
    checkInstant(after, 'after')
    const seconds = Math.floor(after / 1000)
    const found = this.#nextIn(zone instanceof Zone ? zone : zoneByName(zone), seconds + 1)
    return found * 1000 <= latestInstant ? found * 1000 : null
  }

  /** The greatest nominal time <= `atOrBefore`, or null when there is none. */
  previous(atOrBefore: number, zone: Zone | string = utc): number | null {
    checkInstant(atOrBefore, 'atOrBefore')
    const seconds = Math.floor(atOrBefore / 1000)
    const found = this.#previousIn(zone instanceof Zone ? zone : zoneByName(zone), seconds)
    return found * 1000 >= -latestInstant ? found * 1000 : null
  }

  /** Whether the wall-clock minute (the second, with a seconds field) that holds `t` matches. */
  matches(t: number, zone: Zone | string = utc): boolean {
    checkInstant(t, 't')
    const seconds = Math.floor(t / 1000)
    const at = zone instanceof Zone ? zone : zoneByName(zone)
    const local = seconds + at.offsetAt(seconds)
    const day = Math.floor(local / secondsPerDay)
    const second = local - day * secondsPerDay
    const wanted = this.hasSeconds ? second : second - (second % 60)
    return this.#time.has(wanted) && this.#days.has(day)
  }

  /** False for expressions such as `0 0 31 2 *` that no date can match. */
  get possible(): boolean {
    return !Number.isNaN(this.#days.atOrAfter(0))
  }

  /** The smallest distance in seconds between two matches, on a wall clock that never changes. */
  smallestGap(): number {
    const withinDay = this.#time.smallestGap()
    const overnight = secondsPerDay - this.#time.last + this.#time.first
    if (withinDay <= overnight) return withinDay
    return Math.min(withinDay, overnight + (this.#days.smallestGap() - 1) * secondsPerDay)
  }

  #nextIn(zone: Zone, from: number): number {
    const { starts, offsets } = zone
    let segment = zone.segmentAt(from)
    let offset = offsets[segment]!
    let scannedFrom = from + offset
    let local = this.#atOrAfter(scannedFrom)
    for (;;) {
      const next = segment + 1
      if (next === starts.length || !(local - offset >= starts[next]!)) return local - offset
      segment = next
      offset = offsets[segment]!
      const opens = starts[segment]! + offset
      // The clock went forward past the match, or back to a stretch that was not searched.
      if (local < opens || opens < scannedFrom) {
        local = this.#atOrAfter(opens)
        scannedFrom = opens
      }
    }
  }

  #previousIn(zone: Zone, until: number): number {
    const { starts, offsets } = zone
    let segment = zone.segmentAt(until)
    let offset = offsets[segment]!
    let scannedTo = until + offset
    let local = this.#atOrBefore(scannedTo)
    for (;;) {
      if (!(local - offset < starts[segment]!)) return local - offset
      const closes = starts[segment]! + offsets[segment - 1]! - 1
      segment -= 1
      offset = offsets[segment]!
      if (local > closes || closes > scannedTo) {
        local = this.#atOrBefore(closes)
        scannedTo = closes
      }
    }
  }

  /** The first matching local second >= `local`; NaN when there is none. */
  #atOrAfter(local: number): number {
    const time = this.#time
    const day = Math.floor(local / secondsPerDay)
    const second = (local - day * secondsPerDay) | 0
    if (second > time.last) {
      return this.#days.atOrAfter(day + 1) * secondsPerDay + time.first
    }
    const found = this.#days.atOrAfter(day)
    if (found !== day || second <= time.first) return found * secondsPerDay + time.first
    return found * secondsPerDay + time.atOrAfter(second)
  }

  /** The last matching local second <= `local`; NaN when there is none. */
  #atOrBefore(local: number): number {
    const time = this.#time
    const day = Math.floor(local / secondsPerDay)
    const second = (local - day * secondsPerDay) | 0
    if (second < time.first) {
      return this.#days.atOrBefore(day - 1) * secondsPerDay + time.last
    }
    const found = this.#days.atOrBefore(day)
    if (found !== day || second >= time.last) return found * secondsPerDay + time.last
    return found * secondsPerDay + time.atOrBefore(second)
  }
}
