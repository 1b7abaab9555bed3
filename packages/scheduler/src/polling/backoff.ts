const firstMs = 1000
const longestMs = 60_000

/** How long to wait before a failed storage is tried again: twice as long each time. */
export class Backoff {
  #nextMs = firstMs

  next(): number {
    const ms = this.#nextMs
    this.#nextMs = Math.min(ms * 2, longestMs)
    return ms
  }

  reset(): void {
    this.#nextMs = firstMs
  }
}
