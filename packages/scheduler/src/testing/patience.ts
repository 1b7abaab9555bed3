import type { Moment } from './moment.js'
import type { Outages } from './outages.js'
import type { TraceOptions } from './trace.js'

/** How long L1, L2 and L3 wait: a lag that grows with the number of tasks. */
export class Patience {
  readonly #lagMs: number
  readonly #lagPerTaskMs: number
  readonly #outages: Outages

  constructor({ lagMs = 60_000, lagPerTaskMs = 6 }: TraceOptions, outages: Outages) {
    this.#lagMs = lagMs
    this.#lagPerTaskMs = lagPerTaskMs
    this.#outages = outages
  }

  /** Nothing starts while its start cannot be recorded, so an outage of the storage is no delay. */
  isLateForStorage(since: Moment, now: Moment, tasks: number): boolean {
    return this.#outages.usableMs(since, now) > this.#lag(tasks)
  }

  isLate(since: Moment, now: Moment, tasks: number): boolean {
    return now.elapsed - since.elapsed > this.#lag(tasks)
  }

  #lag(tasks: number): number {
    return this.#lagMs + this.#lagPerTaskMs * tasks
  }
}
