import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Account } from './account.ts'

/** Where and by whom it is typed. */
export interface Place {
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  readonly account?: Account | undefined
}

const ctrlC = '\u0003'
/** Of a reader: `npm ci` alone may take minutes on a slow machine. */
const patience = 600_000

/** A command in a terminal of its own, by `script` of util-linux, until Ctrl-C. */
export class StayingCommand {
  readonly script: string
  readonly #child: ChildProcessWithoutNullStreams
  readonly #exited: Promise<unknown>
  #text = ''
  #isOver = false
  #changed: () => void = () => {}

  constructor(script: string, { folder, env, account = {} }: Place, show: (text: string) => void) {
    this.script = script
    this.#child = spawn('script', ['-qfec', script, '/dev/null'], {
      cwd: folder,
      env: { ...env, SHELL: '/bin/bash' },
      ...account,
    })
    this.#exited = once(this.#child, 'exit').then(() => {
      this.#isOver = true
      this.#changed()
    })
    const take = (data: Buffer): void => {
      this.#text += data.toString()
      show(data.toString())
      this.#changed()
    }
    this.#child.stdout.on('data', take)
    this.#child.stderr.on('data', take)
  }

  get lines(): readonly string[] {
    return this.#text.split('\n')
  }

  /** Waits until it has printed what was expected; false when it ended, or when it takes too long. */
  async until(isThere: (lines: readonly string[]) => boolean): Promise<boolean> {
    const deadline = AbortSignal.timeout(patience)
    while (!isThere(this.lines)) {
      if (this.#isOver || deadline.aborted) return false
      await new Promise<void>((resolve) => {
        this.#changed = resolve
        deadline.onabort = () => resolve()
      })
    }
    return true
  }

  /** Presses Ctrl-C; false when it does not end. */
  async stop(): Promise<boolean> {
    if (!this.#isOver) this.#child.stdin.write(ctrlC)
    const deadline = AbortSignal.timeout(patience)
    const late = new Promise<void>((resolve) => {
      deadline.onabort = () => resolve()
    })
    await Promise.race([this.#exited, late])
    if (!this.#isOver) this.#child.kill('SIGKILL')
    return this.#isOver
  }
}
