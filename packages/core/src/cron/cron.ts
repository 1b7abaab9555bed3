import { checkInstant, latestInstant } from '../calendar/instant.js'
import { utc, Zone, zone as zoneByName } from '../zone/index.js'
import { type DayRule, noLaterDay } from './day-rule.js'
import type { Dialect } from './dialect.js'
import type { TimeOfDay } from './time-of-day.js'

const secondsPerDay = 86_400
const msPerDay = 86_400_000
const daysPerMs = 1 / msPerDay
/** No offset brings a local time past this back into the range of dates. */
const beyondAllDates = latestInstant + 2 * msPerDay

/**
 * A compiled cron expression. It matches wall-clock seconds; a zone turns them into instants:
 * a wall time that is skipped has none, one that is repeated has two.
 *
 * All searching is done in local time (the instant plus the offset, in milliseconds) inside of one
 * segment of constant offset, and carried over to the neighbouring segment when the match lies
 * beyond it.
 */
export class Cron {
  readonly expression: string
  readonly dialect: Dialect
  /** Whether the expression has a seconds field. */
  readonly hasSeconds: boolean
  /** The times of a matching day. */
  readonly timeOfDay: TimeOfDay
  readonly #days: DayRule

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
    this.timeOfDay = time
    this.#days = days
  }

  /** The smallest nominal time > `after`, or null when there is none. */
  next(after: number, zone: Zone | string = utc): number | null {
    checkInstant(after, 'after')
    const at = zone instanceof Zone ? zone : zoneByName(zone)
    const found = at.isUtc ? this.#after(after) : this.#nextIn(at, after)
    return found <= latestInstant ? found : null
  }

  /** The greatest nominal time <= `atOrBefore`, or null when there is none. */
  previous(atOrBefore: number, zone: Zone | string = utc): number | null {
    checkInstant(atOrBefore, 'atOrBefore')
    const found = this.#previousIn(zone instanceof Zone ? zone : zoneByName(zone), atOrBefore)
    return found >= -latestInstant ? found : null
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
    return this.timeOfDay.has(wanted) && this.#days.has(day)
  }

  /** False for expressions such as `0 0 31 2 *` that no date can match. */
  get possible(): boolean {
    return this.#days.atOrAfter(0) !== noLaterDay
  }

  /** The smallest distance in seconds between two matches, on a wall clock that never changes. */
  smallestGap(): number {
    const withinDay = this.timeOfDay.smallestGap()
    const overnight = secondsPerDay - this.timeOfDay.last + this.timeOfDay.first
    if (withinDay <= overnight) return withinDay
    return Math.min(withinDay, overnight + (this.#days.smallestGap() - 1) * secondsPerDay)
  }

  #nextIn(zone: Zone, after: number): number {
    const { starts, offsets } = zone
    let segment = zone.segmentAt(after / 1000)
    let offset = offsets[segment]! * 1000
    let scannedAfter = after + offset
    let local = this.#after(scannedAfter)
    if (local > beyondAllDates) return local
    for (;;) {
      const next = segment + 1
      if (next === starts.length) return local - offset
      const end = starts[next]! * 1000
      if (local - offset < end) return local - offset
      segment = next
      offset = offsets[segment]! * 1000
      const opens = end + offset
      // The clock went forward past the match, or back to a stretch that was not searched.
      if (local < opens || opens <= scannedAfter) {
        scannedAfter = opens - 1
        local = this.#after(scannedAfter)
      }
    }
  }

  #previousIn(zone: Zone, until: number): number {
    const { starts, offsets } = zone
    let segment = zone.segmentAt(until / 1000)
    let offset = offsets[segment]! * 1000
    let scannedTo = until + offset
    let local = this.#atOrBefore(scannedTo)
    if (local < -beyondAllDates) return local
    for (;;) {
      const start = starts[segment]! * 1000
      if (local - offset >= start) return local - offset
      segment -= 1
      offset = offsets[segment]! * 1000
      const closes = start + offset - 1
      if (local > closes || closes > scannedTo) {
        scannedTo = closes
        local = this.#atOrBefore(scannedTo)
      }
    }
  }

  /** The first matching local time > `local`; beyond all dates when there is none. */
  #after(local: number): number {
    const time = this.timeOfDay
    // The product, cut off, is faster than a floored division. It is the day or the one after, over
    // the whole range of dates, since the reciprocal is rounded up; the rest tells which.
    let day = (local * daysPerMs) | 0
    let rest = local - day * msPerDay
    if (rest < 0) {
      day -= 1
      rest += msPerDay
    }
    const second = (((rest | 0) / 1000) | 0) + 1
    if (second > time.last) return this.#days.atOrAfter(day + 1) * msPerDay + time.first * 1000
    const found = this.#days.atOrAfter(day)
    if (found !== day || second <= time.first) return found * msPerDay + time.first * 1000
    return found * msPerDay + time.atOrAfter(second) * 1000
  }

  /** The last matching local time <= `local`; before all dates when there is none. */
  #atOrBefore(local: number): number {
    const time = this.timeOfDay
    const day = Math.floor(local / msPerDay) | 0
    const second = (((local - day * msPerDay) | 0) / 1000) | 0
    if (second < time.first) return this.#days.atOrBefore(day - 1) * msPerDay + time.last * 1000
    const found = this.#days.atOrBefore(day)
    if (found !== day || second >= time.last) return found * msPerDay + time.last * 1000
    return found * msPerDay + time.atOrBefore(second) * 1000
  }
}
