import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { eventually } from '../../../../tools/kube/waiting.ts'
import type { FastOptions } from './fast-operator.ts'

const program = fileURLToPath(new URL('../../bin/kron-operator.mjs', import.meta.url))
const fastProgram = fileURLToPath(new URL('fast-operator.ts', import.meta.url))

/** A line of its log. */
export interface LogLine {
  readonly time: string
  readonly level: string
  readonly event: string
  readonly [field: string]: unknown
}

/** `kron-operator start` as a process of its own. */
export class OperatorProcess {
  readonly log: LogLine[] = []
  /** What is not in the log: of a process that could not even begin. */
  complaints = ''
  /** The exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>
  readonly #child: ChildProcess
  #isOver = false

  private constructor(file: string, args: readonly string[]) {
    // Nothing of our own environment, lest a developer's cluster be touched.
    const env = { PATH: process.env['PATH'], TZ: 'UTC' }
    this.#child = spawn(process.execPath, [file, ...args], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const lines = createInterface({ input: this.#child.stdout! })
    lines.on('line', (line) => this.#take(line))
    this.#child.stderr!.on('data', (piece: Buffer) => {
      this.complaints += piece.toString()
    })
    this.ended = once(this.#child, 'close').then(([code, signal]) => {
      this.#isOver = true
      return (code ?? signal) as number | NodeJS.Signals
    })
  }

  /** The program that we ship. */
  static start(args: readonly string[]): OperatorProcess {
    return new OperatorProcess(program, ['start', '--format', 'json', ...args])
  }

  /** The same on a fast clock. */
  static startFast(args: readonly string[], options: FastOptions): OperatorProcess {
    const all = [JSON.stringify(options), 'start', '--format', 'json', ...args]
    return new OperatorProcess(fastProgram, all)
  }

  /** The last line of one that was killed may be half a line. */
  #take(line: string): void {
    try {
      this.log.push(JSON.parse(line) as LogLine)
    } catch {
      this.complaints += `${line}\n`
    }
  }

  get isOver(): boolean {
    return this.#isOver
  }

  lines(event: string): LogLine[] {
    return this.log.filter((line) => line.event === event)
  }

  /** The first line of that event from a place in the log on. */
  logged(event: string, from = 0, limitMs = 120_000): Promise<LogLine> {
    return eventually(`the event ${event} of kron-operator`, limitMs, () => {
      if (this.#isOver) throw new Error(`it has ended: ${this.complaints}`)
      return this.log.slice(from).find((line) => line.event === event) ?? null
    })
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }

  /** As Kubernetes does it; answers the exit code. */
  async stop(): Promise<number | NodeJS.Signals> {
    this.signal('SIGTERM')
    return await this.ended
  }

  async kill(): Promise<void> {
    this.signal('SIGKILL')
    await this.ended
  }
}
