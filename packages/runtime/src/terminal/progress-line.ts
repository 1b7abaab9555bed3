/** Where text goes: a terminal, a pipe, a file or a test. */
export interface TextOutput {
  write(text: string): void
  readonly isTerminal: boolean
  /** Of a terminal; 80 for anything else. */
  readonly columns: number
}

const quietMs = 1_000
const refreshMs = 200

/** Says on a terminal how far long work has come, and leaves no trace when it is done. */
export class ProgressLine {
  readonly #output: TextOutput
  readonly #now: () => number
  readonly #textOf: (done: number) => string
  #nextAt: number
  #shown = false

  /** `textOf` says how much of the work is done, in words. */
  constructor(output: TextOutput, now: () => number, textOf: (done: number) => string) {
    this.#output = output
    this.#now = now
    this.#textOf = textOf
    this.#nextAt = now() + quietMs
  }

  update(done: number): void {
    if (!this.#output.isTerminal) return
    const now = this.#now()
    if (now < this.#nextAt) return
    this.#nextAt = now + refreshMs
    this.#shown = true
    this.#output.write(`\r${this.#textOf(done)}`)
  }

  end(): void {
    if (this.#shown) this.#output.write('\r\u001b[K')
    this.#shown = false
  }
}
