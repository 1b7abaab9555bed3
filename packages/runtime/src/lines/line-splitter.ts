export interface LineLimits {
  readonly maxBytes: number
  /**
   * What becomes of a longer line: `refuse` throws a RangeError, `cut` has it come in pieces, cut
   * between characters, and `shorten` keeps its beginning.
   */
  readonly overlong: 'refuse' | 'cut' | 'shorten'
  /** Whether a carriage return before the line feed belongs to the end of the line. */
  readonly dropsCarriageReturn?: boolean
}

const lineFeed = 0x0a
const carriageReturn = 0x0d
const none: readonly string[] = []

/**
 * Bytes of a stream as lines without their ends, however the stream is cut. Bytes that are no UTF-8
 * come as U+FFFD. Each byte is looked at once, however long a line and small the chunks.
 */
export class LineSplitter {
  readonly #limits: LineLimits
  /** Of a line whose end has not come yet. */
  #held: Buffer[] = []
  #heldBytes = 0

  constructor(limits: LineLimits) {
    this.#limits = limits
  }

  /** The lines that are whole now. */
  *split(chunk: Uint8Array): Generator<string, void> {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    let start = 0
    for (let end = bytes.indexOf(lineFeed); end !== -1; end = bytes.indexOf(lineFeed, start)) {
      yield* this.#hold(bytes.subarray(start, end))
      yield textOf(this.#limits.dropsCarriageReturn ? withoutReturn(this.#take()) : this.#take())
      start = end + 1
    }
    // A copy: the next chunk may be read into the same memory.
    if (start < bytes.length) yield* this.#hold(Buffer.from(bytes.subarray(start)))
  }

  /** What stands behind the last line end; '' when nothing does. */
  end(): string {
    return textOf(this.#take())
  }

  /** Answers the pieces of an overlong line that are cut off. */
  #hold(bytes: Buffer): readonly string[] {
    const { maxBytes, overlong } = this.#limits
    const room = maxBytes - this.#heldBytes
    if (bytes.length <= room) {
      this.#keep(bytes)
      return none
    }
    switch (overlong) {
      case 'refuse':
        throw new RangeError(`a line has more than ${maxBytes} bytes`)
      case 'shorten':
        this.#keep(bytes.subarray(0, room))
        return none
      case 'cut': {
        this.#keep(bytes)
        const [pieces, rest] = cut(this.#take(), maxBytes)
        this.#keep(rest)
        return pieces
      }
    }
  }

  #keep(bytes: Buffer): void {
    if (bytes.length > 0) this.#held.push(bytes)
    this.#heldBytes += bytes.length
  }

  #take(): Buffer {
    const line = this.#held.length === 1 ? this.#held[0]! : Buffer.concat(this.#held)
    this.#held = []
    this.#heldBytes = 0
    return line
  }
}

const textOf = (bytes: Buffer): string => bytes.toString()

const withoutReturn = (line: Buffer): Buffer =>
  line.at(-1) === carriageReturn ? line.subarray(0, -1) : line

function cut(line: Buffer, maxBytes: number): readonly [pieces: string[], rest: Buffer] {
  const pieces: string[] = []
  let rest = line
  while (rest.length > maxBytes) {
    const end = characterBoundary(rest, maxBytes)
    pieces.push(textOf(rest.subarray(0, end)))
    rest = rest.subarray(end)
  }
  return [pieces, rest]
}

/** At most three bytes before `most`: where a character begins, if there is any nearby. */
function characterBoundary(line: Buffer, most: number): number {
  for (let at = most; at > Math.max(most - 4, 0); at--) {
    if ((line[at]! & 0xc0) !== 0x80) return at
  }
  return most
}
