import type { Clock } from '../clock/index.js'

/** A sleep that others can end. One caller sleeps at a time. */
export class WakeableSleep {
  readonly #clock: Clock
  #isWoken = false
  /** Ends the sleep under way. */
  #end: (() => void) | null = null

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Also ends a sleep that has not begun yet: what happened before it is not slept over. */
  wake(): void {
    this.#isWoken = true
    this.#end?.()
  }

  /** Ends after this time, when woken, or at once when woken since the last sleep; 0 is no sleep. */
  async for(ms: number): Promise<void> {
    if (!this.#isWoken && ms > 0) await this.#sleep(ms)
    this.#isWoken = false
  }

  async untilWoken(): Promise<void> {
    if (!this.#isWoken) {
      await new Promise<void>((resolve) => {
        this.#end = resolve
      })
    }
    this.#end = null
    this.#isWoken = false
  }

  async #sleep(ms: number): Promise<void> {
    const over = new AbortController()
    try {
      await new Promise<void>((resolve, reject) => {
        this.#end = () => {
          // At once, since a clock need not heed the signal.
          resolve()
          // A reason of our own: without one it is an error with a stack, created for each sleep.
          over.abort('woken')
        }
        this.#clock.sleep(ms, over.signal).then(resolve, reject)
      })
    } finally {
      this.#end = null
    }
  }
}
