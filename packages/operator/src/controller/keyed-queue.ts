/** Those that are due come first, and have places of their own. */
export type Urgency = 'due' | 'calm'

type Work = (key: string, urgency: Urgency) => Promise<void>

/** Of calm ones, while some that are due wait: enough that they do not stand still. */
const maxCalmInARush = 2

/**
 * Work on keys: each key is worked on by one at a time, different ones beside each other, and a key
 * that is added while it is being worked on is worked on once more afterwards.
 */
export class KeyedQueue {
  readonly #work: Work
  readonly #maxAtOnce: number
  /** In the order in which they came. */
  readonly #waiting: Record<Urgency, Set<string>> = { due: new Set(), calm: new Set() }
  readonly #running = new Map<string, Urgency>()
  readonly #runningOf: Record<Urgency, number> = { due: 0, calm: 0 }
  readonly #again = new Map<string, Urgency>()
  #whenIdle: (() => void)[] = []
  #isClosed = false

  /** `work` must not reject. So many are worked on at once of those that are due, and of others. */
  constructor(work: Work, maxAtOnce: number) {
    this.#work = work
    this.#maxAtOnce = maxAtOnce
  }

  /** Keys that wait or are being worked on. */
  get depth(): number {
    return this.#waiting.due.size + this.#waiting.calm.size + this.#running.size
  }

  /** Whether some that are due wait: then whatever else there is to do can wait longer. */
  get hasDue(): boolean {
    return this.#waiting.due.size > 0
  }

  add(key: string, urgency: Urgency = 'calm'): void {
    if (this.#isClosed) return
    if (this.#running.has(key)) {
      if (this.#again.get(key) !== 'due') this.#again.set(key, urgency)
      return
    }
    if (urgency === 'due') this.#waiting.calm.delete(key)
    if (!this.#waiting.due.has(key)) this.#waiting[urgency].add(key)
    this.#startNext()
  }

  /** Nothing is begun any more; resolves when all that was begun is over. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#waiting.due.clear()
    this.#waiting.calm.clear()
    this.#again.clear()
    await this.idle()
  }

  async idle(): Promise<void> {
    if (this.depth > 0) await new Promise<void>((resolve) => this.#whenIdle.push(resolve))
  }

  #startNext(): void {
    for (const urgency of ['due', 'calm'] as const) {
      for (const key of this.#waiting[urgency]) {
        if (this.#runningOf[urgency] >= this.#maxOf(urgency)) break
        this.#waiting[urgency].delete(key)
        this.#running.set(key, urgency)
        this.#runningOf[urgency]++
        void this.#run(key, urgency)
      }
    }
  }

  #maxOf(urgency: Urgency): number {
    const isHeldBack = urgency === 'calm' && this.hasDue
    return isHeldBack ? Math.min(maxCalmInARush, this.#maxAtOnce) : this.#maxAtOnce
  }

  async #run(key: string, urgency: Urgency): Promise<void> {
    await this.#work(key, urgency)
    this.#running.delete(key)
    this.#runningOf[urgency]--
    const again = this.#again.get(key)
    this.#again.delete(key)
    if (again !== undefined && !this.#isClosed) this.#waiting[again].add(key)
    this.#startNext()
    if (this.depth > 0) return
    const waiters = this.#whenIdle
    this.#whenIdle = []
    for (const resolve of waiters) resolve()
  }
}
