import type { Clock } from '@kron/runtime'
import type { Places } from './places.js'

/** A start may hang for longer, on a file system that does not answer. */
const longestMs = 5000

/**
 * Many starts at once. Until the last of them is done, what can wait does: each job is late by all
 * the work that comes before it. Nobody waits while a start needs a place that they may hold.
 */
export class Rush {
  readonly #clock: Clock
  readonly #places: Pick<Places, 'waiting'>
  readonly #waiting: (() => void)[] = []
  #limit = new AbortController()
  #starts = 0

  constructor(clock: Clock, places: Pick<Places, 'waiting'>) {
    this.#clock = clock
    this.#places = places
  }

  begin(): void {
    this.#starts++
  }

  end(): void {
    if (--this.#starts === 0) this.release()
  }

  /** Resolves when what can wait may go on. */
  async over(): Promise<void> {
    if (this.#starts === 0 || this.#places.waiting > 0) return
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve)
      if (this.#waiting.length === 1) void this.#releaseInTime()
    })
  }

  /** Lets all that wait go on. */
  release(): void {
    if (this.#waiting.length === 0) return
    this.#limit.abort('released')
    for (const go of this.#waiting.splice(0)) go()
  }

  async #releaseInTime(): Promise<void> {
    this.#limit = new AbortController()
    const { signal } = this.#limit
    await this.#clock.sleep(longestMs, signal).catch(() => undefined)
    if (!signal.aborted) this.release()
  }
}
