import type { TextOutput } from './text-output.js'

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
