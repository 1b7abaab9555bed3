import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

export interface Ended {
  readonly code: number | null
  readonly output: string
}

/** A program that was started, and all that it prints. */
export class StartedProgram {
  readonly #process: ChildProcess
  /** The exit code of the program, or of the shell that could not start it. */
  readonly ended: Promise<Ended>
  #output = ''
  #isOver = false
  #changed = (): void => undefined

  constructor(file: string, args: readonly string[], env?: Readonly<Record<string, string>>) {
    const given = env === undefined ? {} : { env: { ...env } }
    this.#process = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'], ...given })
    for (const stream of [this.#process.stdout!, this.#process.stderr!]) {
      stream.setEncoding('utf8').on('data', (piece) => {
        this.#output += piece
        this.#changed()
      })
    }
    this.ended = once(this.#process, 'close').then(([code]) => {
      this.#isOver = true
      this.#changed()
      return { code, output: this.#output }
    })
  }

  get pid(): number {
    return this.#process.pid!
  }

  /** Resolves with the output as soon as it matches; rejects when the program ends before. */
  async printed(expected: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = expected.exec(this.#output)
      if (found !== null) return found
      if (this.#isOver) throw new Error(`it ended without printing ${expected}:\n${this.#output}`)
      await new Promise<void>((resolve) => {
        this.#changed = resolve
      })
    }
  }

  end(signal: NodeJS.Signals): Promise<Ended> {
    this.#process.kill(signal)
    return this.ended
  }
}
