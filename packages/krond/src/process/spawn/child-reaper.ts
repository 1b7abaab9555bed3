import type { ExitStatus } from '../processes.js'

type Reap = (pid: number) => ExitStatus | null

/** A signal may get lost among others of its kind; and something must keep this process alive. */
const lookAgainMs = 1000

/** Waits for children that Node does not know of. One is enough for a process. */
export class ChildReaper {
  readonly #reap: Reap
  readonly #children = new Map<number, (status: ExitStatus) => void>()
  #timer: NodeJS.Timeout | null = null

  constructor(reap: Reap) {
    this.#reap = reap
    process.on('SIGCHLD', this.#look)
  }

  exitOf(pid: number): Promise<ExitStatus> {
    // It may have ended, and been signalled, before it was known here.
    const status = this.#reap(pid)
    if (status !== null) return Promise.resolve(status)
    this.#timer ??= setInterval(this.#look, lookAgainMs)
    return new Promise((resolve) => this.#children.set(pid, resolve))
  }

  readonly #look = (): void => {
    for (const [pid, resolve] of this.#children) {
      const status = this.#reap(pid)
      if (status === null) continue
      this.#children.delete(pid)
      resolve(status)
    }
    if (this.#children.size > 0 || this.#timer === null) return
    clearInterval(this.#timer)
    this.#timer = null
  }
}
