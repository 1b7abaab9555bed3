import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { serverEnvironment } from './environment.ts'
import type { Command, Guarded } from './guardian.ts'

const guardian = fileURLToPath(new URL('guardian.ts', import.meta.url))

/** Crash recovery after a benchmark is the longest of what may come before it. */
const readyLimitMs = 120_000
const keptLines = 30

/** One life of the server, from start to end, seen through its guardian. */
export class GuardedServer {
  /** Resolves when no process of the server lives any more. */
  readonly ended: Promise<void>
  readonly #child: ChildProcess
  readonly #log: string[] = []
  #isEnded = false
  #onLine: (line: string) => void = () => {}

  constructor(guarded: Guarded) {
    this.#child = spawn(process.execPath, [guardian, JSON.stringify(guarded)], {
      env: serverEnvironment(),
      // Ctrl-C at a terminal reaches the whole process group, and would end it before its time.
      detached: true,
      stdio: ['pipe', 'ignore', 'pipe'],
    })
    // Nobody reads it any more when the server has ended by itself.
    this.#child.stdin!.on('error', () => {})
    const lines = createInterface({ input: this.#child.stderr! })
    lines.on('line', (line) => {
      this.#log.push(line)
      if (this.#log.length > keptLines) this.#log.shift()
      this.#onLine(line)
    })
    this.ended = new Promise((resolve) => {
      lines.once('close', () => {
        this.#isEnded = true
        resolve()
      })
    })
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  get lastLines(): string {
    return this.#log.join('\n')
  }

  /** Resolves when it accepts connections; when it ends instead, the error has its log. */
  async ready(): Promise<void> {
    const failed = (what: string): Error => new Error(`PostgreSQL ${what}:\n${this.lastLines}`)
    let limit: NodeJS.Timeout | undefined
    try {
      await new Promise<void>((resolve, reject) => {
        this.#onLine = (line) => {
          if (line.includes('database system is ready to accept connections')) resolve()
        }
        this.ended.then(() => reject(failed('did not start')))
        this.#child.once('error', reject)
        limit = setTimeout(() => reject(failed('was not ready in time')), readyLimitMs)
      })
    } finally {
      clearTimeout(limit)
      this.#onLine = () => {}
    }
    this.#hold(false)
  }

  async end(command: Command): Promise<void> {
    if (this.#isEnded) return
    this.#hold(true)
    this.#child.stdin!.write(`${command}\n`)
    await this.ended
  }

  /** A server that was never stopped must not keep a finished process from ending. */
  #hold(isHeld: boolean): void {
    const { stdin, stderr } = this.#child
    for (const handle of [this.#child, stdin as Socket, stderr as Socket]) {
      if (isHeld) handle.ref()
      else handle.unref()
    }
  }
}
