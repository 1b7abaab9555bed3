/** A stretch of a line, as indexes into it. */
export interface Span {
  readonly start: number
  readonly end: number
}
