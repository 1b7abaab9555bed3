import { type Job, nextChosenPeriod } from '@kron/core'
import type { CompiledEndpoint } from '../scheduling/index.js'

/**
 * The calendar of a cron baseline is law: a planner may leave its times out or choose among them,
 * and never has the endpoint run at another one. Windows and constraints are part of it.
 */
export class Calendar {
  readonly #job: Job

  constructor(job: Job) {
    this.#job = job
  }

  /** The first time at or after `instant`, or null. */
  from(instant: number): number | null {
    return nextChosenPeriod(this.#job, instant - 1)?.chosenTime ?? null
  }

  has(instant: number): boolean {
    return this.from(instant) === instant
  }
}

/** null for intervals, and where the endpoint lets planners leave its cron. */
export function calendarOf({ job, endpoint }: CompiledEndpoint): Calendar | null {
  return job === null || endpoint.definition.adaptive.outsideCron ? null : new Calendar(job)
}
