import type { Moment } from './moment.js'
import type { Passage } from './passage.js'

/**
 * RetryDue of the latest failure: a pulse at the failure plus the delay that the task had when it
 * failed, which an override does not change any more.
 */
export class RetryWait {
  readonly #failedAt: number
  readonly #delayMs: number
  #mayFrom: number
  #mayFromElapsed = Number.POSITIVE_INFINITY
  #mustFrom: number
  #mustFromElapsed = Number.NEGATIVE_INFINITY
  #allowed: boolean
  #since: Moment | null = null

  constructor(failed: Moment, delayMs: number) {
    this.#failedAt = failed.wall
    this.#delayMs = delayMs
    this.#mayFrom = failed.wall + delayMs
    // A delay of zero may wait for the next second, so that a callback that always fails does not
    // spin.
    const nextSecond = (Math.floor(failed.wall / 1000) + 1) * 1000
    this.#mustFrom = Math.max(this.#mayFrom, nextSecond)
    this.#allowed = failed.wall >= this.#mayFrom
  }

  get allowed(): boolean {
    return this.#allowed
  }

  get since(): Moment | null {
    return this.#since
  }

  waive(): void {
    this.#mustFrom = Number.POSITIVE_INFINITY
    this.#since = null
  }

  pass({ from, to, end, momentOf }: Passage): void {
    if (to >= this.#mayFrom || end.elapsed >= this.#mayFromElapsed) this.#allowed = true
    if (this.#since !== null || to < this.#mustFrom) return
    const { wall, elapsed } = momentOf(Math.max(Math.ceil(this.#mustFrom), from))
    this.#since = { wall, elapsed: Math.max(elapsed, this.#mustFromElapsed) }
  }

  /**
   * A clock before the failure: the scheduler may wait for the instant, or begin the wait again.
   * S1 accepts the earlier of both, L1 is dated at the later.
   */
  turnBack({ wall, elapsed }: Moment): void {
    if (this.#mustFrom > wall) this.#since = null
    if (wall >= this.#failedAt) return
    this.#mayFrom = Math.min(this.#mayFrom, wall + this.#delayMs)
    this.#mayFromElapsed = Math.min(this.#mayFromElapsed, elapsed + this.#delayMs)
    this.#mustFromElapsed = elapsed + this.#delayMs
    if (wall >= this.#mayFrom) this.#allowed = true
  }
}
