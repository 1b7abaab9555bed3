const nothing = new Uint8Array(0)
const firstCapacity = 1024

/**
 * The bytes of a response, at most so many. They are copied: a piece of a socket's buffer would
 * keep all of that buffer alive, and a body that arrives byte by byte would be as many objects.
 */
export class ResponseBody {
  readonly #limit: number
  #bytes: Uint8Array = nothing
  #length = 0
  #truncated = false

  constructor(limit: number) {
    this.#limit = limit
  }

  get truncated(): boolean {
    return this.#truncated
  }

  /** False when the chunk did not fit as a whole. */
  append(chunk: Uint8Array): boolean {
    const room = this.#limit - this.#length
    const fitting = chunk.length <= room ? chunk : chunk.subarray(0, room)
    this.#truncated = fitting !== chunk
    const length = this.#length + fitting.length
    if (length > this.#bytes.length) this.#grow(length)
    this.#bytes.set(fitting, this.#length)
    this.#length = length
    return !this.#truncated
  }

  /** Exactly what arrived, in memory of its own. */
  take(): Uint8Array {
    if (this.#length === 0) return nothing
    return this.#length === this.#bytes.length ? this.#bytes : this.#bytes.slice(0, this.#length)
  }

  #grow(length: number): void {
    // Most bodies come in one piece: the first is given just its size.
    const doubled = this.#length === 0 ? length : Math.max(firstCapacity, this.#length * 2)
    const grown = new Uint8Array(Math.min(this.#limit, Math.max(length, doubled)))
    grown.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = grown
  }
}
