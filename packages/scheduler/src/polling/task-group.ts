import type { Cron } from '@kron/core'
import type { TimeZone } from '../zone/index.js'
import type { ScheduledTask } from './scheduled-task.js'

/** The tasks of one expression. What it matches is calculated once for all of them. */
export class TaskGroup {
  readonly tasks: ScheduledTask[] = []
  readonly #cron: Cron
  readonly #zone: TimeZone

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
}
