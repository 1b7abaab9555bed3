/** Something that was measured under one set of labels. */
export interface Instrument {
  /** Adds its lines of the exposition. */
  expose(lines: string[], name: string, labels: string): void
}
