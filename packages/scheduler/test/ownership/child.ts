import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Another process, which is told what to do and tells what it has done. */
export class Child {
  readonly #process: ChildProcess
  readonly #told: unknown[] = []
  readonly #exit: Promise<unknown>
  #tell: () => void = () => undefined

  constructor(script: string, argument: string) {
    const path = fileURLToPath(new URL(script, import.meta.url))
    this.#process = fork(path, [argument], { execArgv: [] })
    this.#exit = once(this.#process, 'exit')
    this.#process.on('message', (line) => {
      this.#told.push(line)
      this.#tell()
    })
    void this.#exit.then(() => this.#tell())
  }

  get id(): number {
    return this.#process.pid!
  }

  order(what: string): void {
    this.#process.send(what)
  }

  /** What it tells next; throws if it ends before. */
  async next(): Promise<unknown> {
    while (this.#told.length === 0) {
      if (this.#process.exitCode !== null) throw new Error('the process has ended')
      await new Promise<void>((resolve) => {
        this.#tell = resolve
      })
    }
    return this.#told.shift()
  }

  /** Without any chance to tidy up, if it has not ended by itself. */
  async kill(): Promise<void> {
    this.#process.kill('SIGKILL')
    await this.#exit
  }
}
