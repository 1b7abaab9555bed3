/**
 * How long a statement may take before the database gives it up. What is sure to be tried again may
 * begin with little patience. A database that is slow gets more each time: it would never end what
 * is given up again and again, and be slower still for it.
 */
export class Patience {
  readonly #firstMs: number
  readonly #maxMs: number
  #ms: number

  constructor(firstMs: number, maxMs = firstMs) {
    this.#firstMs = Math.min(firstMs, maxMs)
    this.#maxMs = maxMs
    this.#ms = this.#firstMs
  }

  get ms(): number {
    return this.#ms
  }

  wasTooLittle(): void {
    this.#ms = Math.min(this.#ms * 2, this.#maxMs)
  }

  /** One that needed more than the first patience would have been given up with it. */
  wasEnough(tookMs: number): void {
    if (tookMs < this.#firstMs) this.#ms = this.#firstMs
  }
}

/** For work that must not be cut short: what holds it up is seen to be alive in other ways. */
export const endlessPatience = new Patience(Number.POSITIVE_INFINITY)
