import { grouped, type TextOutput } from '../terminal/index.js'

const quietMs = 1_000
const refreshMs = 200

/** Says on a terminal how far long work has come, and leaves no trace when it is done. */
export class ProgressLine {
  readonly #output: TextOutput
  readonly #now: () => number
  readonly #all: number
  #nextAt: number
  #shown = false

  constructor(output: TextOutput, now: () => number, all: number) {
    this.#output = output
    this.#now = now
    this.#all = all
    this.#nextAt = now() + quietMs
  }

  update(done: number): void {
    if (!this.#output.isTerminal) return
    const now = this.#now()
    if (now < this.#nextAt) return
    this.#nextAt = now + refreshMs
    this.#shown = true
    const share = Math.floor((done / this.#all) * 100)
    this.#output.write(`\rsimulating: ${grouped(done)} of ${grouped(this.#all)} jobs, ${share}%`)
  }

  end(): void {
    if (this.#shown) this.#output.write('\r\u001b[K')
  }
}
