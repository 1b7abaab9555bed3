export type StreamName = 'stdout' | 'stderr'

export const longestLineBytes = 8192

const lineFeed = 0x0a
const carriageReturn = 0x0d
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * Bytes of a stream as lines without their ends. A line over 8 KiB comes in pieces, cut between
 * characters; bytes that are no UTF-8 come as U+FFFD.
 */
export class LineSplitter {
  readonly #onLine: (line: string) => void
  #begun: Buffer = Buffer.alloc(0)

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine
  }

  push(chunk: Buffer): void {
    let start = 0
    for (;;) {
      const end = chunk.indexOf(lineFeed, start)
      if (end === -1) break
      this.#add(chunk.subarray(start, end))
      this.#deliver(withoutCarriageReturn(this.#begun))
      this.#begun = Buffer.alloc(0)
      start = end + 1
    }
    this.#add(chunk.subarray(start))
  }

  /** Delivers a last line that has no end. */
  end(): void {
    if (this.#begun.length > 0) this.#deliver(this.#begun)
    this.#begun = Buffer.alloc(0)
  }

  #add(bytes: Buffer): void {
    let line = this.#begun.length === 0 ? bytes : Buffer.concat([this.#begun, bytes])
    while (line.length > longestLineBytes) {
      const cut = characterBoundary(line, longestLineBytes)
      this.#deliver(line.subarray(0, cut))
      line = line.subarray(cut)
    }
    this.#begun = line
  }

  #deliver(line: Buffer): void {
    this.#onLine(decoder.decode(line))
  }
}

function withoutCarriageReturn(line: Buffer): Buffer {
  return line.at(-1) === carriageReturn ? line.subarray(0, -1) : line
}

/** At most three bytes before `most`: where a character begins, if there is any nearby. */
function characterBoundary(line: Buffer, most: number): number {
  for (let at = most; at > most - 4; at--) {
    if ((line[at]! & 0xc0) !== 0x80) return at
  }
  return most
}
