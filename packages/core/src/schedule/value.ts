/** A stretch of the whole text. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** What was written in a modifier, and where each of its characters stands in the whole text. */
export class Value implements Span {
  readonly text: string
  readonly start: number
  readonly end: number
  readonly #origins: readonly number[] | null

  /** `origins` are the places of the characters, where escapes moved them. */
  constructor(text: string, start: number, end: number, origins: readonly number[] | null = null) {
    this.text = text
    this.start = start
    this.end = end
    this.#origins = origins
  }

  /** The index into the whole text of a character of this value, or of its end. */
  originOf(index: number): number {
    return this.#origins === null ? this.start + index : (this.#origins[index] ?? this.end - 1)
  }
}
