import { grouped, type TextOutput } from '../terminal/index.js'

const quietMs = 1_000
const refreshMs = 200

/** Says on a terminal how many lines were read, and leaves no trace when it is done. */
export class AuditProgress {
  readonly #output: TextOutput
  readonly #now: () => number
  #nextAt: number
  #shown = false

  constructor(output: TextOutput, now: () => number) {
    this.#output = output
    this.#now = now
    this.#nextAt = now() + quietMs
  }

  update(lines: number): void {
    if (!this.#output.isTerminal) return
    const now = this.#now()
    if (now < this.#nextAt) return
    this.#nextAt = now + refreshMs
    this.#shown = true
    this.#output.write(`\rauditing: ${grouped(lines)} lines`)
  }

  end(): void {
    if (this.#shown) this.#output.write('\r\u001b[K')
    this.#shown = false
  }
}
