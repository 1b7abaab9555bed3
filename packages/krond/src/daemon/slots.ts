/** A number of places; whoever finds none waits for one, first come, first served. */
export class Slots {
  #free: number
  #closed = false
  readonly #waiting: ((taken: boolean) => void)[] = []

  constructor(count: number) {
    this.#free = count
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /** Takes a place, even if there is none: for what already runs. */
  occupy(): void {
    this.#free--
  }

  /** Resolves with true when a place was taken, with false when there will be none any more. */
  async take(): Promise<boolean> {
    if (this.#closed) return false
    if (this.#free > 0) {
      this.#free--
      return true
    }
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  /** Gives a place back, to the one that waits longest if there is one. */
  give(): void {
    const next = this.#free >= 0 ? this.#waiting.shift() : undefined
    if (next === undefined) this.#free++
    else next(true)
  }

  /** Sends away all that wait. */
  close(): void {
    this.#closed = true
    for (const leave of this.#waiting.splice(0)) leave(false)
  }
}
