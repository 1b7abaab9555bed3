import { StringDecoder } from 'node:string_decoder'

/** In characters; the daemon's own lines are shorter. */
const longestLine = 4 * 1024 * 1024

/** Makes lines of the pieces that a file is read in. */
export class LineSplitter {
  readonly #onLine: (line: string) => void
  readonly #decoder = new StringDecoder('utf8')
  #unfinished = ''

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine
  }

  push(piece: Uint8Array): void {
    const text = this.#unfinished + this.#decoder.write(piece)
    let start = 0
    for (;;) {
      const end = text.indexOf('\n', start)
      if (end < 0) break
      this.#onLine(text.slice(start, end))
      start = end + 1
    }
    // What is longer than any line can't become one: its beginning is enough to say so.
    this.#unfinished = text.slice(start, start + longestLine)
  }

  /** What stands behind the last line end. */
  end(): string {
    const rest = this.#unfinished + this.#decoder.end()
    this.#unfinished = ''
    return rest
  }
}
