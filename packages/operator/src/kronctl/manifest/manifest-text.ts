import type { Place } from '@kron/preview'

/** The text of a file, and where things stand in it. */
export class ManifestText {
  /** Absolute, or `<stdin>`. */
  readonly path: string
  readonly text: string
  readonly #lineStarts: readonly number[]

  constructor(path: string, text: string) {
    this.path = path
    this.text = text
    this.#lineStarts = [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)]
  }

  /** A stretch of the text, as far as it is on the line where it begins. */
  placeAt(start: number, end: number): Place {
    const line = this.#lineAt(start)
    const lineStart = this.#lineStarts[line]!
    const next = this.#lineStarts[line + 1] ?? this.text.length + 1
    const source = this.text.slice(lineStart, next - 1).replace(/\r$/, '')
    const column = start - lineStart
    const length = Math.max(1, Math.min(end - start, source.length - column))
    return { file: this.path, line: line + 1, column: column + 1, length, source }
  }

  /** Index of the line that has this character. */
  #lineAt(offset: number): number {
    let low = 0
    let high = this.#lineStarts.length - 1
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (this.#lineStarts[middle]! <= offset) low = middle
      else high = middle - 1
    }
    return low
  }
}

/** Text of a file as a terminal may see it: escapes in it could drive the terminal. */
export const printable = (text: unknown): string => String(text).replaceAll(/\p{Cc}/gu, '\ufffd')
