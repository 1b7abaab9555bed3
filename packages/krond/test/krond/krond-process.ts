import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export const krondProgram = fileURLToPath(new URL('../../bin/krond.mjs', import.meta.url))

export interface LoggedEvent extends Readonly<Record<string, unknown>> {
  readonly event: string
}

export interface KrondOptions {
  readonly cwd: string
  readonly uid?: number
  readonly gid?: number
}

/** A real `krond`: what it writes, and how it ends. */
export class KrondProcess {
  stdout = ''
  stderr = ''
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>
  readonly #child: ChildProcess
  readonly #watchers = new Set<() => void>()
  #isOver = false

  constructor(args: readonly string[], options: KrondOptions) {
    const env = { PATH: process.env['PATH'], HOME: options.cwd, TZ: 'UTC' }
    this.#child = spawn(process.execPath, [krondProgram, ...args], {
      ...options,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of ['stdout', 'stderr'] as const) {
      this.#child[stream]!.setEncoding('utf8').on('data', (text: string) => {
        this[stream] += text
        this.#look()
      })
    }
    this.ended = once(this.#child, 'close').then(([code, signal]) => {
      this.#isOver = true
      this.#look()
      return (code ?? signal) as number | string
    })
  }

  get pid(): number {
    return this.#child.pid!
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }

  /** The whole lines of a JSON log. */
  get lines(): LoggedEvent[] {
    const whole = this.stdout.slice(0, this.stdout.lastIndexOf('\n') + 1)
    return whole
      .split('\n')
      .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as LoggedEvent]))
  }

  events(name: string): LoggedEvent[] {
    return this.lines.filter(({ event }) => event === name)
  }

  /** The first event of this name that has these fields, as soon as it is logged. */
  event(name: string, fields: Readonly<Record<string, unknown>> = {}): Promise<LoggedEvent> {
    const { promise, resolve, reject } = Promise.withResolvers<LoggedEvent>()
    const look = (): void => {
      const found = this.events(name).find((line) =>
        Object.entries(fields).every(([key, value]) => line[key] === value),
      )
      if (found === undefined && !this.#isOver) return
      this.#watchers.delete(look)
      if (found !== undefined) resolve(found)
      else reject(new Error(`ended without ${name}:\n${this.stdout}${this.stderr}`))
    }
    this.#watchers.add(look)
    look()
    return promise
  }

  /** Reads nothing that it logs until `readOn`. */
  stopReading(): void {
    this.#child.stdout!.pause()
  }

  readOn(): void {
    this.#child.stdout!.resume()
  }

  /** When it has written more, or ended. */
  more(): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        this.#watchers.delete(look)
        resolve()
      }
      if (this.#isOver) resolve()
      else this.#watchers.add(look)
    })
  }

  #look(): void {
    for (const watcher of [...this.#watchers]) watcher()
  }
}
