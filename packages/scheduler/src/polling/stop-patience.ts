import type { Clock } from '@kron/runtime'

const patienceMs = 30_000
const noop = (): void => undefined

/** How long a stop waits for a storage that does not answer; without a stop there is no end. */
export class StopPatience {
  readonly #clock: Clock
  #isBegun = false
  #whenBegun: (() => void) | null = null

  constructor(clock: Clock) {
    this.#clock = clock
  }

  begin(): void {
    this.#isBegun = true
    this.#whenBegun?.()
  }

  /** Rejects with a SilenceError when patience ends before the answer; that may come later still. */
  async forAnswer<T>(answer: Promise<T>): Promise<T> {
    let over: AbortController | null = null
    try {
      return await new Promise<T>((resolve, reject) => {
        const wait = (): void => {
          over = new AbortController()
          // When the clock fails, there is no end of patience.
          const { signal } = over
          this.#clock.sleep(patienceMs, signal).then(() => reject(new SilenceError()), noop)
        }
        // The second of both changes nothing.
        answer.then(resolve, reject)
        if (this.#isBegun) wait()
        else this.#whenBegun = wait
      })
    } finally {
      this.#whenBegun = null
      const begun = over as AbortController | null
      begun?.abort('answered')
    }
  }
}

export class SilenceError extends Error {
  constructor() {
    super(`no answer within ${patienceMs / 1000} s of the stop`)
  }
}
