import type { Cron, Zone } from '@kron/core'
import type { ScheduledTask } from './scheduled-task.js'

const mostMadeUp = 16

/** The tasks of one expression. What it matches is calculated once for all of them. */
export class TaskGroup {
  readonly tasks: ScheduledTask[] = []
  readonly #cron: Cron
  readonly #zone: Zone
  /** The latest minutes that ran only after they were over. */
  readonly #madeUp: number[] = []

  constructor(cron: Cron, zone: Zone) {
    this.#cron = cron
    this.#zone = zone
  }

  /** The first minute after this instant. */
  next(after: number): number | null {
    return this.#cron.next(after, this.#zone)
  }

  /** The latest minute that has begun by this instant. */
  latest(atOrBefore: number): number | null {
    return this.#cron.previous(atOrBefore, this.#zone)
  }

  /** Whether the wall-clock minute of this instant matches. */
  matches(instant: number): boolean {
    return this.#cron.matches(instant, this.#zone)
  }

  /** Its tasks run for this minute, which is over. */
  makeUpFor(minute: number): void {
    if (this.#madeUp.push(minute) > mostMadeUp) this.#madeUp.shift()
  }

  hasMadeUpFor(minute: number): boolean {
    return this.#madeUp.includes(minute)
  }
}
