/** Lets only so many through at a time, and only so many wait for their turn. */
export class Turnstile {
  readonly #atOnce: number
  readonly #maxWaiting: number
  readonly #waiting: (() => void)[] = []
  #inside = 0

  constructor(atOnce: number, maxWaiting: number) {
    this.#atOnce = atOnce
    this.#maxWaiting = maxWaiting
  }

  get isIdle(): boolean {
    return this.#inside === 0
  }

  /** Does the work when its turn comes; null, at once, when too many wait already. */
  pass<Result>(work: () => Promise<Result>): Promise<Result> | null {
    if (this.#inside < this.#atOnce) {
      this.#inside++
      return this.#doing(work)
    }
    if (this.#waiting.length >= this.#maxWaiting) return null
    const turn = new Promise<void>((resolve) => void this.#waiting.push(resolve))
    return turn.then(() => this.#doing(work))
  }

  async #doing<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      // Whoever comes next takes the place over, so that nobody can slip in between.
      if (next === undefined) this.#inside--
      else next()
    }
  }
}
