/** A mistake of a new user, what they see, and what helps. */
export interface Mistake {
  /** Such as `Six fields where five are allowed`. */
  readonly title: string
  /** What was typed, as shown after `$ `. */
  readonly command: string
  /** Does it with the real program; paths, ports, times and processes are made steady. */
  readonly see: () => Promise<{ readonly text: string; readonly exitCode: number }>
  /** One or two plain sentences, Markdown. */
  readonly advice: string
}
