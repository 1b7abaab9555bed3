export interface Sweepable {
  /** Whether it may be forgotten, and created again when it is needed. */
  readonly isForgettable: boolean
}

/** So few are not worth a sweep. */
const fewest = 16

/**
 * Forgets what is not in use, though not at once: most of it is needed again soon, and to forget
 * and create it again for each exchange costs more than the exchange's place in line. It is swept
 * when it has grown to four times what the last sweep left.
 */
export class SweptMap<Key, Value extends Sweepable> {
  readonly #entries = new Map<Key, Value>()
  #sweepAt = fewest

  get size(): number {
    return this.#entries.size
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key)
  }

  set(key: Key, value: Value): void {
    if (this.#entries.size >= this.#sweepAt) this.#sweep()
    this.#entries.set(key, value)
  }

  clear(): void {
    this.#entries.clear()
    this.#sweepAt = fewest
  }

  #sweep(): void {
    for (const [key, value] of this.#entries) if (value.isForgettable) this.#entries.delete(key)
    this.#sweepAt = Math.max(fewest, 4 * this.#entries.size)
  }
}
