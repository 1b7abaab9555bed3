/** A small seeded generator, so that every run tries the same cases. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed | 0
  }

  /** A fraction of 1, below 1. */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b_79f5) | 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0_aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a_2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
  }

  /** A whole number from low to high, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.fraction() * (high - low + 1))
  }

  chance(probability: number): boolean {
    return this.fraction() < probability
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.between(0, choices.length - 1)]!
  }
}
