import { latestInstant } from '../calendar/instant.js'
import { daysPerCycle } from '../calendar/year-table.js'
import type { Constraints } from '../constraint/index.js'
import type { Cron } from '../cron/index.js'
import type { Zone } from '../zone/index.js'
import { type WindowOffsets, windowEndSecond, windowStartSecond } from './window.js'

const secondsPerDay = 86_400
const firstDayOfCycle = 10_957
/** Steps after which the clock times of both sides are compared before the search goes on. */
const patience = 500
/** No schedule that people write takes a hundredth of it; it bounds hostile ones. */
const maxSteps = 200_000

/**
 * Finds periods whose window holds an allowed second, by cron and calendar in turns: from a
 * period to the first second that is allowed, and from there to the first period whose window
 * reaches it. What neither allows is never looked at, however long it is.
 *
 * A schedule whose times of day never meet the allowed ones would go on day by day for ever. After
 * some steps that is found out, and from then on only windows are looked at in which the clock
 * changes: nothing else can bring such times together.
 */
export class PeriodSearch {
  readonly #cron: Cron
  readonly #zone: Zone
  readonly #window: WindowOffsets
  readonly #constraints: Constraints
  #timesMeet: boolean | null = null

  constructor(cron: Cron, zone: Zone, window: WindowOffsets, constraints: Constraints) {
    this.#cron = cron
    this.#zone = zone
    this.#window = window
    this.#constraints = constraints
  }

  /** Whether some period of the calendar's 400 years, and of the dates named, can run. */
  isPossible(): boolean {
    const [firstDate] = this.#constraints.days.span
    // Two windows ahead, so that none is missed that reaches into the first allowed day.
    const start = Math.min(firstDate, firstDayOfCycle) * secondsPerDay * 1000
    return this.#search(start - 2 * (this.#window.before + this.#window.after) - 1) !== null
  }

  /** The first nominal time > `after` whose window holds an allowed second, or null. */
  next(after: number): number | null {
    const found = this.#search(after)
    return found === null || found === unknown ? null : found
  }

  #search(after: number): number | typeof unknown | null {
    const [, lastDate] = this.#constraints.days.span
    // The calendar repeats after 400 years; dates do not.
    const horizon = Math.max(after, lastDate * secondsPerDay * 1000) + cycleMs
    let nominal = this.#cron.next(after, this.#zone)
    if (nominal !== null && this.#timesMeet === false) return this.#atClockChange(nominal)
    for (let step = 0; step < maxSteps; step++) {
      if (nominal === null || nominal > horizon) return null
      const allowed = this.#firstAllowedFrom(nominal)
      if (allowed <= windowEndSecond(this.#window, nominal)) return nominal
      if (step === patience && !this.#doTimesMeet()) return this.#atClockChange(nominal)
      const reaches = allowed * 1000 - this.#window.after - 1
      nominal = reaches > latestInstant ? null : this.#cron.next(reaches, this.#zone)
    }
    return unknown
  }

  #firstAllowedFrom(nominal: number): number {
    return this.#constraints.firstAllowed(this.#zone, windowStartSecond(this.#window, nominal))
  }

  /** The same search over windows with a change of the clock in them, and no others. */
  #atClockChange(after: number): number | null {
    const { before, after: behind } = this.#window
    let change = this.#zone.nextTransition(windowStartSecond(this.#window, after))
    for (; change !== Number.POSITIVE_INFINITY; change = this.#zone.nextTransition(change)) {
      const at = change * 1000
      let nominal = this.#cron.next(Math.max(after - 1, at - behind - 1), this.#zone)
      while (nominal !== null && nominal <= at + before + 1000) {
        const allowed = this.#firstAllowedFrom(nominal)
        if (allowed <= windowEndSecond(this.#window, nominal)) return nominal
        nominal = this.#cron.next(nominal, this.#zone)
      }
    }
    return null
  }

  /** Whether, on a clock that never changes, the window of some time of day has an allowed one. */
  #doTimesMeet(): boolean {
    this.#timesMeet ??= timesMeet(this.#cron, this.#window, this.#constraints)
    return this.#timesMeet
  }
}

const cycleMs = daysPerCycle * secondsPerDay * 1000
const unknown = 'unknown'

function timesMeet(cron: Cron, window: WindowOffsets, { timesOfDay }: Constraints): boolean {
  if (timesOfDay.length === 0) return false
  for (let time = cron.timeOfDay.first; time >= 0; ) {
    const start = windowStartSecond(window, time * 1000)
    const end = windowEndSecond(window, time * 1000)
    const allowed = timeAtOrAfter(timesOfDay, start)
    if (allowed <= end) return true
    const reaches = allowed - Math.floor(window.after / 1000)
    if (reaches >= secondsPerDay) return false
    time = cron.timeOfDay.atOrAfter(Math.max(time + 1, reaches))
  }
  return false
}

/** The first allowed time of day at or after a second that may be of another day. */
function timeAtOrAfter(timesOfDay: Float64Array, second: number): number {
  const midnight = Math.floor(second / secondsPerDay) * secondsPerDay
  for (let i = 0; i < timesOfDay.length; i += 2) {
    if (midnight + timesOfDay[i + 1]! >= second) return Math.max(second, midnight + timesOfDay[i]!)
  }
  return midnight + secondsPerDay + timesOfDay[0]!
}
