import type { JobRecord } from './job-record.js'

/**
 * The places for executions, and the jobs whose start waits for one: first come, first served. A
 * job that waits has no claim yet; at its turn it is judged again, and either takes the place or
 * leaves the queue.
 */
export class Places {
  readonly #queue = new Set<JobRecord>()
  #free: number
  #isCalling = false
  #isClosed = false
  /** Called with the record whose turn it is; must have it `take` or `leave` before it returns. */
  onTurn: (record: JobRecord) => void = () => {}
  /** Called when others wait than before. */
  onChange: () => void = () => {}

  constructor(count: number) {
    this.#free = count
  }

  get waiting(): number {
    return this.#queue.size
  }

  /** Those that wait, longest first. */
  get queue(): Iterable<JobRecord> {
    return this.#queue
  }

  /** Whether the record got a place: one is free, and nobody has waited for longer. */
  take(record: JobRecord): boolean {
    const [first = record] = this.#queue
    if (this.#isClosed || this.#free <= 0 || first !== record) return false
    this.#free--
    this.#remove(record)
    return true
  }

  /** Takes a place, even if there is none: for what runs already, or replaces what does. */
  occupy(): void {
    this.#free--
  }

  wait(record: JobRecord): void {
    if (this.#isClosed || this.#queue.has(record)) return
    this.#queue.add(record)
    record.queued = true
    this.onChange()
  }

  /** The record waits no more; nothing happens when it did not. */
  leave(record: JobRecord): void {
    if (this.#remove(record)) this.#call()
  }

  give(): void {
    this.#free++
    this.#call()
  }

  /** From now on no record gets a place. */
  close(): void {
    this.#isClosed = true
    for (const record of this.#queue) this.#remove(record)
  }

  /** One after the other, not one inside of the other: thousands may leave at once. */
  #call(): void {
    if (this.#isCalling) return
    this.#isCalling = true
    try {
      for (;;) {
        const [first] = this.#queue
        if (first === undefined || this.#free <= 0 || this.#isClosed) return
        this.onTurn(first)
        this.#remove(first)
      }
    } finally {
      this.#isCalling = false
    }
  }

  #remove(record: JobRecord): boolean {
    if (!this.#queue.delete(record)) return false
    record.queued = false
    this.onChange()
    return true
  }
}
