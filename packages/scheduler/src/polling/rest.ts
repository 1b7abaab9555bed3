import type { Clock } from '@kron/runtime'

/** A wait that ends after some time, or when somebody wakes it. */
export class Rest {
  readonly #clock: Clock
  #isWoken = false
  #wake: (() => void) | null = null

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Also ends a wait that has not begun yet: what happened before it is not slept over. */
  wake(): void {
    this.#isWoken = true
    this.#wake?.()
  }

  async for(ms: number): Promise<void> {
    if (!this.#isWoken) await this.#sleep(ms)
    this.#isWoken = false
  }

  async untilWoken(): Promise<void> {
    if (!this.#isWoken) await this.#woken()
    this.#isWoken = false
  }

  #woken(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  /** Raced, since a clock need not heed the signal. */
  async #sleep(ms: number): Promise<void> {
    const over = new AbortController()
    const woken = this.#woken()
    try {
      const slept = this.#clock.sleep(ms, over.signal)
      // When woken first, nobody is left to hear how the sleep ended.
      slept.catch(() => undefined)
      await Promise.race([slept, woken])
    } finally {
      this.#wake = null
      // A reason of its own, since the usual one is an error with a stack, made for each wait.
      over.abort('woken')
    }
  }
}
