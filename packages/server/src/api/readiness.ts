import type { Clock } from '@kron/runtime'
import type { Store } from '../store/index.js'

/** Anybody may ask, and an answer costs a write: one serves for this long. */
const freshMs = 1_000

/** Whether the store can be used, which is to say: written to. Reading tells too little of a disk. */
export class Readiness {
  readonly #store: Store
  readonly #clock: Clock
  #last: Promise<void> | null = null
  #at = 0
  /** However long a database is silent, one is asked at a time. */
  #isPending = false

  constructor(store: Store, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  /** Rejects when it can't. */
  check(): Promise<void> {
    const now = this.#clock.now().getTime()
    const ageMs = now - this.#at
    const serves = this.#isPending || (ageMs >= 0 && ageMs < freshMs)
    if (this.#last === null || !serves) {
      this.#at = now
      this.#last = this.#probe()
    }
    return this.#last
  }

  async #probe(): Promise<void> {
    this.#isPending = true
    try {
      await this.#store.system((rows) => rows.probeWrite())
    } finally {
      this.#isPending = false
    }
  }
}
