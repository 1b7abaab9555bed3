/** Where something stands in a file: `length` characters (UTF-16) from a 1-based place. */
export interface Place {
  /** Absolute path of the file. */
  readonly file: string
  readonly line: number
  readonly column: number
  readonly length: number
  /** The whole line, to show it. */
  readonly source: string
}
