/**
 * One sync of a folder for all who wait. A sync makes durable what was renamed before it BEGAN; of
 * a rename during the sync nobody can say. So a caller that asks while one is under way waits for
 * the next, which begins when that one ends and serves all who have asked until then. Each waits
 * for two syncs at most, however many there are.
 *
 * A sync that failed is never repeated: the system reports an error once, and the next sync would
 * succeed without having written what the failed one lost. All who wait get the error, and so does
 * everybody later.
 */
export class SharedSync {
  readonly #sync: () => Promise<void>
  #running: Promise<void> | null = null
  #next: Promise<void> | null = null

  constructor(sync: () => Promise<void>) {
    this.#sync = sync
  }

  /** Resolves after a sync that began after this call. */
  request(): Promise<void> {
    if (this.#running === null) return this.#begin()
    this.#next ??= this.#running.then(() => this.#begin())
    return this.#next
  }

  #begin(): Promise<void> {
    this.#next = null
    // After a failure `#running` stays, rejected: the next caller waits on it.
    this.#running = this.#sync().then(() => {
      if (this.#next === null) this.#running = null
    })
    return this.#running
  }
}
