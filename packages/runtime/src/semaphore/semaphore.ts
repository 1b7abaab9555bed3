/** Does so much work at a time; the rest waits, and is done in the order in which it came. */
export class Semaphore {
  readonly #permits: number
  readonly #waiting: (() => void)[] = []
  #working = 0

  constructor(permits: number) {
    this.#permits = permits
  }

  get isIdle(): boolean {
    return this.#working === 0
  }

  /** Does the work when its turn comes; at once, before this returns, when there is a permit. */
  run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#working < this.#permits) {
      this.#working++
      return this.#doing(work)
    }
    const turn = new Promise<void>((resolve) => void this.#waiting.push(resolve))
    return turn.then(() => this.#doing(work))
  }

  /** The same; null, at once, when that many wait already. */
  tryRun<Result>(work: () => Promise<Result>, maxWaiting: number): Promise<Result> | null {
    const mustWait = this.#working >= this.#permits
    return mustWait && this.#waiting.length >= maxWaiting ? null : this.run(work)
  }

  async #doing<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      // The permit is handed on, so that nobody can slip in between.
      if (next === undefined) this.#working--
      else next()
    }
  }
}
