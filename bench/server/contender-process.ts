import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Assignment } from './contender.ts'
import type { Progress, Start } from './contender-entry.ts'

type Of<Kind extends Progress['kind']> = Extract<Progress, { kind: Kind }>

/** The process of one contender, seen from the one that measures. */
export class ContenderProcess {
  readonly #child: ChildProcess

  private constructor(child: ChildProcess) {
    this.#child = child
  }

  static async start(start: Start): Promise<ContenderProcess> {
    const entry = fileURLToPath(new URL('contender-entry.ts', import.meta.url))
    const child = fork(entry, [JSON.stringify(start)], { env: { ...process.env, TZ: 'UTC' } })
    const contender = new ContenderProcess(child)
    await contender.next('created')
    return contender
  }

  assign(assignment: Assignment): void {
    this.#child.send(assignment)
  }

  /** Rejects when it fails instead, or ends. */
  next<Kind extends Progress['kind']>(kind: Kind): Promise<Of<Kind>> {
    return new Promise((resolve, reject) => {
      const settle = (action: () => void): void => {
        this.#child.off('message', onMessage)
        this.#child.off('exit', onExit)
        action()
      }
      const onMessage = (progress: Progress): void => {
        if (progress.kind === kind) settle(() => resolve(progress as Of<Kind>))
        else if (progress.kind === 'failed') settle(() => reject(new Error(progress.reason)))
      }
      const onExit = (code: number | null): void =>
        settle(() => reject(new Error(`ended with ${code}`)))
      this.#child.on('message', onMessage)
      this.#child.once('exit', onExit)
    })
  }

  stop(): void {
    this.#child.kill('SIGKILL')
  }
}
