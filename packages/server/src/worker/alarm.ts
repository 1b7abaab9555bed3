import type { Clock } from '@kron/runtime'

/** A wait that whoever has news can end. News that come while nobody waits are kept. */
export class Alarm {
  readonly #clock: Clock
  #isRung = false
  #ring: (() => void) | null = null

  constructor(clock: Clock) {
    this.#clock = clock
  }

  ring(): void {
    this.#isRung = true
    this.#ring?.()
  }

  /** Ends after this time, when it rings, or at once when it has rung before. */
  async wait(ms: number): Promise<void> {
    if (!this.#isRung && ms > 0) {
      const sleeping = new AbortController()
      this.#ring = () => sleeping.abort()
      await this.#clock.sleep(ms, sleeping.signal).catch(() => undefined)
      this.#ring = null
    }
    this.#isRung = false
  }
}
