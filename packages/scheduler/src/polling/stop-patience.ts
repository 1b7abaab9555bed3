import type { Clock } from '@kron/runtime'

const patienceMs = 30_000

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
    const over = new AbortController()
    const silence = new Promise<never>((_, reject) => {
      const wait = (): void => void this.#end(over.signal).catch(reject)
      if (this.#isBegun) wait()
      else this.#whenBegun = wait
    })
    try {
      return await Promise.race([answer, silence])
    } finally {
      this.#whenBegun = null
      over.abort()
      // Whichever came second has nobody left who hears of it.
      answer.catch(() => undefined)
      silence.catch(() => undefined)
    }
  }

  async #end(over: AbortSignal): Promise<never> {
    await this.#clock.sleep(patienceMs, over)
    throw new SilenceError()
  }
}

export class SilenceError extends Error {
  constructor() {
    super(`no answer within ${patienceMs / 1000} s of the stop`)
  }
}
