const newline = 0x0a

/** Bytes into lines; each byte is looked at once, however long a line and small the pieces. */
export class LineSplitter {
  readonly #maxBytes: number
  /** Of a line whose end has not come yet. */
  #pieces: Buffer[] = []
  #heldBytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** The lines that are whole now. A line beyond the limit throws a RangeError. */
  *split(chunk: Buffer): Generator<string> {
    let start = 0
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      this.#check(end - start)
      yield this.#pieces.length === 0
        ? chunk.toString('utf8', start, end)
        : this.#joined(chunk.subarray(start, end))
      start = end + 1
    }
    if (start === chunk.length) return
    this.#check(chunk.length - start)
    this.#pieces.push(start === 0 ? chunk : chunk.subarray(start))
    this.#heldBytes += chunk.length - start
  }

  /** Decoded as a whole: a character may be on both sides of a cut. */
  #joined(last: Buffer): string {
    const line = Buffer.concat([...this.#pieces, last]).toString()
    this.#pieces = []
    this.#heldBytes = 0
    return line
  }

  #check(moreBytes: number): void {
    if (this.#heldBytes + moreBytes > this.#maxBytes) {
      throw new RangeError(`a line has more than ${this.#maxBytes} bytes`)
    }
  }
}
