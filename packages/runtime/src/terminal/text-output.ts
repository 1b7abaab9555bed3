/** Where text goes: a terminal, a pipe, a file or a test. */
export interface TextOutput {
  write(text: string): void
  readonly isTerminal: boolean
  /** Of a terminal; 80 for anything else. */
  readonly columns: number
}
