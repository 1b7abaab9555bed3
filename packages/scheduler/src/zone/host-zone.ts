import { type Cron, latestInstant, Zone } from '@kron/core'
import { type ClockChange, clockChanges, type OffsetAt, offsetOfProcess } from './clock-changes.js'
import type { TimeZone } from './time-zone.js'

const year = 366 * 86_400
/** What is read at once: the last attempts of most tasks, and longer than a process lives. */
const yearsBefore = 1
const yearsAhead = 10
/** What lies farther from what is known than this is read by itself. */
const maxYearsBetween = 100
/** By how much a minute can move when it turns out that the clock changes before it. */
const maxMovedMs = 2 * 86_400_000
/** The range of dates, less what the offset of a clock can lead out of it. */
const lastSecond = latestInstant / 1000 - 2 * 86_400

/**
 * The zone of the host as its own clock shows it, whatever its name and wherever its rules come
 * from. Its changes are looked for once, some years around now and more when somebody asks, and
 * kept as a zone of the cron engine: asked again, it is as fast as one with a name.
 */
export class HostZone implements TimeZone {
  readonly #offsetAt: OffsetAt
  /** Epoch seconds between which `#zone` is right. Outside it shows its first or last offset. */
  #from: number
  #to: number
  #changes: readonly ClockChange[]
  #zone: Zone

  constructor(now: number, offsetAt: OffsetAt = offsetOfProcess) {
    this.#offsetAt = offsetAt
    const seconds = Math.floor(now / 1000)
    this.#from = withinDates(seconds - yearsBefore * year)
    this.#to = withinDates(seconds + yearsAhead * year)
    this.#changes = clockChanges(offsetAt, this.#from, this.#to)
    this.#zone = this.#created()
  }

  next(cron: Cron, after: number): number | null {
    let found = cron.next(after, this.around(after))
    while (found !== null && found > this.#to * 1000 && this.#to < lastSecond) {
      found = cron.next(after, this.around(after, found + maxMovedMs))
    }
    return found
  }

  previous(cron: Cron, atOrBefore: number): number | null {
    let found = cron.previous(atOrBefore, this.around(atOrBefore))
    while (found !== null && found < this.#from * 1000 && this.#from > -lastSecond) {
      found = cron.previous(atOrBefore, this.around(found - maxMovedMs, atOrBefore))
    }
    return found
  }

  matches(cron: Cron, instant: number): boolean {
    return cron.matches(instant, this.around(instant))
  }

  /** A zone that is right from the one instant to the other, in epoch milliseconds. */
  around(firstMs: number, lastMs: number = firstMs): Zone {
    const first = withinDates(Math.floor(firstMs / 1000))
    const last = withinDates(Math.ceil(lastMs / 1000))
    if (first < this.#from || last > this.#to) this.#learn(first, last)
    return this.#zone
  }

  #learn(first: number, last: number): void {
    const [from, to] = [this.#from, this.#to]
    const between = Math.max(first - to, from - last)
    if (between > maxYearsBetween * year) {
      this.#from = withinDates(first - year)
      this.#to = withinDates(last + year)
      this.#changes = clockChanges(this.#offsetAt, this.#from, this.#to)
    } else {
      // A year more than is asked for, since the next to ask is likely to want a little more.
      if (first < from) this.#from = withinDates(first - year)
      if (last > to) this.#to = withinDates(last + year)
      this.#changes = [
        ...clockChanges(this.#offsetAt, this.#from, from),
        ...this.#changes,
        ...clockChanges(this.#offsetAt, to, this.#to),
      ]
    }
    this.#zone = this.#created()
  }

  #created(): Zone {
    const changes = this.#changes
    return new Zone('the zone of the host', {
      starts: Float64Array.of(Number.NEGATIVE_INFINITY, ...changes.map(({ at }) => at)),
      offsets: Int32Array.of(this.#offsetAt(this.#from), ...changes.map(({ offset }) => offset)),
    })
  }
}

const withinDates = (seconds: number): number =>
  Math.min(Math.max(seconds, -lastSecond), lastSecond)
