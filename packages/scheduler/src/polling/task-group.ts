import type { Cron } from '@kron/core'
import type { TimeZone } from '../zone/index.js'
import type { ScheduledTask } from './scheduled-task.js'

const mostMadeUp = 16

/** The tasks of one expression. What it matches is calculated once for all of them. */
export class TaskGroup {
  readonly tasks: ScheduledTask[] = []
  readonly #cron: Cron
  readonly #zone: TimeZone
  /** The latest minutes that ran only after they were over. */
  readonly #madeUp: number[] = []

  constructor(cron: Cron, zone: TimeZone) {
    this.#cron = cron
    this.#zone = zone
  }

  /** The first minute after this instant. */
  next(after: number): number | null {
    return this.#zone.next(this.#cron, after)
  }

  /** The latest minute that has begun by this instant. */
  latest(atOrBefore: number): number | null {
    return this.#zone.previous(this.#cron, atOrBefore)
  }

  /** Whether the wall-clock minute of this instant matches. */
  matches(instant: number): boolean {
    return this.#zone.matches(this.#cron, instant)
  }

  /** Its tasks run for this minute, which is over. */
  makeUpFor(minute: number): void {
    if (this.#madeUp.push(minute) > mostMadeUp) this.#madeUp.shift()
  }

  hasMadeUpFor(minute: number): boolean {
    return this.#madeUp.includes(minute)
  }
}
