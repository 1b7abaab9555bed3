import type { Moment } from './moment.js'
import type { Passage } from './passage.js'

/**
 * One pending bit, with two sides, since a trace does not show everything that the scheduler knew:
 * S1 accepts a start when the bit may be set, L1 demands one only when it must be.
 */
export class Pending {
  #allowed = false
  /** The instant whose passing demands a start. */
  #mustAt: number | null = null
  #since: Moment | null = null
  #wasTurnedBack = false

  get allowed(): boolean {
    return this.#allowed
  }

  /** Since when a start is demanded. */
  get since(): Moment | null {
    return this.#since
  }

  allow(): void {
    this.#allowed = true
  }

  /** The first demand stays: L1 counts from the pulse that set the bit. */
  demand(mustAt: number, since: Moment): void {
    this.#allowed = true
    if (this.#since !== null) return
    this.#mustAt = mustAt
    this.#since = since
  }

  waive(): void {
    this.#wasTurnedBack = false
    this.#mustAt = null
    this.#since = null
  }

  clear(): void {
    this.#allowed = false
    this.waive()
  }

  pass({ from, to, momentOf }: Passage): void {
    if (this.#mustAt === null || this.#since !== null || this.#mustAt > to) return
    this.#since = momentOf(Math.max(this.#mustAt, from))
  }

  /**
   * Before the instant that set the bit a scheduler may hold that nothing is due, or that the run
   * is owed already: the start is allowed still, and demanded when the instant comes again.
   */
  turnBack(wall: number): void {
    if (this.#mustAt === null || this.#mustAt <= wall) return
    this.#since = null
    this.#wasTurnedBack = true
  }

  /** One that was not there takes a minute that came twice for one that has run. */
  restart(): void {
    if (this.#wasTurnedBack) this.waive()
  }
}
