/** A seeded source of choices: the same seed makes the same world, on every machine. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 up to, but without, 1. */
  readonly next = (): number => {
    // The mulberry32 generator: one 32-bit word of state is plenty to tell worlds apart.
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let word = this.#state
    word = Math.imul(word ^ (word >>> 15), word | 1)
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61)
    return ((word ^ (word >>> 14)) >>> 0) / 2 ** 32
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1))
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.between(0, choices.length - 1)]!
  }

  /** A source of its own, which does not change what comes after. */
  fork(): Random {
    return new Random(Math.floor(this.next() * 2 ** 32))
  }
}
