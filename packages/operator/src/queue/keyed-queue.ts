/**
 * Work on keys: each key is worked on by one at a time, different ones beside each other, and a key
 * that is added while it is being worked on is worked on once more afterwards.
 */
export class KeyedQueue {
  readonly #work: (key: string) => Promise<void>
  readonly #mostAtOnce: number
  /** In the order in which they came. */
  readonly #waiting = new Set<string>()
  readonly #running = new Set<string>()
  readonly #again = new Set<string>()
  #whenIdle: (() => void)[] = []
  #isClosed = false

  /** `work` must not reject. */
  constructor(work: (key: string) => Promise<void>, mostAtOnce: number) {
    this.#work = work
    this.#mostAtOnce = mostAtOnce
  }

  /** Keys that wait or are being worked on. */
  get depth(): number {
    return this.#waiting.size + this.#running.size
  }

  add(key: string): void {
    if (this.#isClosed) return
    if (this.#running.has(key)) this.#again.add(key)
    else {
      this.#waiting.add(key)
      this.#startNext()
    }
  }

  /** Nothing is begun any more; resolves when all that was begun is over. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#waiting.clear()
    this.#again.clear()
    await this.idle()
  }

  async idle(): Promise<void> {
    if (this.depth > 0) await new Promise<void>((resolve) => this.#whenIdle.push(resolve))
  }

  #startNext(): void {
    for (const key of this.#waiting) {
      if (this.#running.size >= this.#mostAtOnce) return
      this.#waiting.delete(key)
      this.#running.add(key)
      void this.#run(key)
    }
  }

  async #run(key: string): Promise<void> {
    await this.#work(key)
    this.#running.delete(key)
    if (this.#again.delete(key) && !this.#isClosed) this.#waiting.add(key)
    this.#startNext()
    if (this.depth > 0) return
    const waiters = this.#whenIdle
    this.#whenIdle = []
    for (const resolve of waiters) resolve()
  }
}
