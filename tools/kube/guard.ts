import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Notice, Order } from './guardian.ts'

const guardian = fileURLToPath(new URL('guardian.ts', import.meta.url))

/** Ours without what would change the components' ways, such as proxies. */
function componentEnvironment(): NodeJS.ProcessEnv {
  const unwanted = /^(KUBE|KUBERNETES_|ETCD_|GO|NODE_|LC_|LANG|.*_PROXY$|.*_proxy$)/
  const kept = Object.entries(process.env).filter(([name]) => !unwanted.test(name))
  return { ...Object.fromEntries(kept), TZ: 'UTC' }
}

interface Life {
  pid: number | null
  readonly ended: Promise<string>
  readonly end: (how: string) => void
}

/** The guardian, seen from the process that started it. */
export class Guard {
  readonly #child: ChildProcess
  readonly #lives = new Map<string, Life>()
  readonly #gone: Promise<void>

  /** The folder is removed when the guard leaves. */
  constructor(folder: string) {
    this.#child = spawn(process.execPath, [guardian, folder], {
      env: componentEnvironment(),
      // Ctrl-C at a terminal reaches the whole process group, and would end it before its time.
      detached: true,
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    // Nobody reads it any more when the guardian itself was killed.
    this.#child.stdin!.on('error', () => {})
    const notices = createInterface({ input: this.#child.stdout! })
    notices.on('line', (line) => this.#hear(JSON.parse(line) as Notice))
    this.#gone = new Promise((resolve) => {
      this.#child.once('error', () => resolve())
      this.#child.once('close', () => resolve())
    })
    this.#gone.then(() => {
      for (const name of this.#lives.keys()) this.#hear({ ended: name, how: 'guardian gone' })
    })
  }

  start(component: string, command: string, args: readonly string[]): void {
    if (this.#lives.has(component)) throw new Error(`${component} runs already`)
    const { promise: ended, resolve: end } = Promise.withResolvers<string>()
    this.#lives.set(component, { pid: null, ended, end })
    this.#order({ start: component, command, args })
  }

  isRunning(component: string): boolean {
    return this.#lives.has(component)
  }

  pidOf(component: string): number | null {
    return this.#lives.get(component)?.pid ?? null
  }

  /** How it ended, when it does. */
  endOf(component: string): Promise<string> {
    return this.#lives.get(component)?.ended ?? Promise.resolve('not running')
  }

  async signal(component: string, signal: NodeJS.Signals): Promise<void> {
    const life = this.#lives.get(component)
    if (life === undefined) return
    this.hold(true)
    this.#order({ signal, to: component })
    await life.ended
    this.hold(false)
  }

  /** Kills all of them and removes the folder. */
  async leave(): Promise<void> {
    this.hold(true)
    this.#child.stdin!.end()
    await this.#gone
  }

  /** A plane that was never stopped must not keep a finished process from ending. */
  hold(isHeld: boolean): void {
    const { stdin, stdout } = this.#child
    for (const handle of [this.#child, stdin as Socket, stdout as Socket]) {
      if (isHeld) handle.ref()
      else handle.unref()
    }
  }

  #order(order: Order): void {
    this.#child.stdin!.write(`${JSON.stringify(order)}\n`)
  }

  #hear(notice: Notice): void {
    if ('started' in notice) {
      const life = this.#lives.get(notice.started)
      if (life !== undefined) life.pid = notice.pid
      return
    }
    const life = this.#lives.get(notice.ended)
    this.#lives.delete(notice.ended)
    life?.end(notice.how)
  }
}
