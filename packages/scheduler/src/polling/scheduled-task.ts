import type { Cron } from '@kron/core'
import type { Callback } from '../registration/registration.js'
import type { TaskRecord } from '../task/task-record.js'
import type { TimeZone } from '../zone/index.js'
import { MadeUpMinutes } from './made-up-minutes.js'
import type { Run } from './run.js'
import type { WatchedTime } from './watched-time.js'

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

/**
 * A registered task while the scheduler runs. What it owes are single bits, as in the theory: any
 * number of missed minutes is one run.
 */
export class ScheduledTask {
  readonly group: TaskGroup
  readonly callback: Callback
  record: TaskRecord
  /** The latest minute that it has not run for, in epoch milliseconds. */
  dueMinute: number | null = null
  /** An earlier instance started it, and its end was never recorded. */
  isOrphaned = false
  /** The time of its retry has come. */
  isRetryDue = false
  /** It had another expression before this scheduler started: the attempts so far were for that. */
  hasNewExpression = false
  run: Run | null = null
  hasUnrecordedEnd = false
  /** Whether it stands in the queue of those to be started. */
  isQueued = false

  constructor(record: TaskRecord, group: TaskGroup, callback: Callback) {
    this.record = record
    this.group = group
    this.callback = callback
  }

  get owesRun(): boolean {
    return this.dueMinute !== null || this.isOrphaned || this.isRetryDue
  }

  settle(): void {
    this.dueMinute = null
    this.isOrphaned = false
    this.isRetryDue = false
  }

  /**
   * Whether it has run for this minute, which comes again because the clock was set back: if the
   * minute was watched before, was made up for, or is the one that the latest attempt was for.
   */
  hasRunFor(minute: number, watched: WatchedTime): boolean {
    const { id, lastAttemptAt, madeUpFor } = this.record
    if (watched.has(minute, id)) return true
    if (madeUpFor !== null && MadeUpMinutes.parse(madeUpFor).has(minute)) return true
    if (lastAttemptAt === null || minute > lastAttemptAt || this.hasNewExpression) return false
    return minute >= (this.group.latest(lastAttemptAt) ?? minute)
  }
}
