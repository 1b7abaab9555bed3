import type { Span } from './span.js'

/** What a field was given, unquoted, and where each of its characters stands in the line. */
export class FieldValue implements Span {
  readonly text: string
  readonly quoted: boolean
  readonly start: number
  readonly end: number
  readonly #origins: readonly number[]

  constructor(text: string, quoted: boolean, span: Span, origins: readonly number[]) {
    this.text = text
    this.quoted = quoted
    this.start = span.start
    this.end = span.end
    this.#origins = origins
  }

  /** The stretch of the line that wrote some characters of this value. */
  spanOf(position: number, length: number): Span {
    const start = this.#origins[position] ?? this.end
    const last = this.#origins[position + length - 1]
    return { start, end: last === undefined ? Math.max(start, this.end) : last + 1 }
  }
}
