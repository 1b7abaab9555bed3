import type { Clock } from '@kron/runtime'
import type { EndSignal, ExitStatus } from '../../src/process/processes.js'
import type { ProcessIdentity } from '../../src/state/index.js'

/** What happens at one start of a virtual process. */
export interface VirtualRun {
  /** Whether there will be a gate at all: `transient` a SystemError, `permanent` an ExecutionError. */
  readonly prepare?: 'works' | 'transient' | 'permanent'
  /** Whether the gate becomes the job when it is released. */
  readonly exec?: 'works' | 'fails'
  /** How long it runs; for ever when left out. */
  readonly durationMs?: number
  readonly exitCode?: number
  /** What it writes first. */
  readonly output?: readonly { readonly stream: 'stdout' | 'stderr'; readonly line: string }[]
  readonly ignoresTerm?: boolean
  /** From SIGKILL to its end, as for one that waits for a disk; Infinity: it never ends. */
  readonly killMs?: number
}

export interface VirtualStart {
  readonly identity: string
  readonly nominal: number | null
  /** How many times this period was prepared before. */
  readonly earlier: number
}

/** Says what happens at each start; asked once for each. */
export type VirtualWorld = (start: VirtualStart) => VirtualRun

/** What was really executed: released, and not refused by `exec`. */
export interface VirtualExecution {
  readonly identity: string
  readonly nominal: number | null
  readonly pid: number
  readonly at: number
}

/** A process of a virtual machine. It belongs to the machine, not to the daemon that started it. */
export class VirtualProcess {
  readonly identity: ProcessIdentity
  readonly run: VirtualRun
  readonly #clock: Clock
  readonly #onEnd: () => void
  readonly #watchers: ((status: ExitStatus) => void)[] = []
  readonly #ended = new AbortController()
  #status: ExitStatus | null = null
  #executes = false

  constructor(identity: ProcessIdentity, run: VirtualRun, clock: Clock, onEnd: () => void) {
    this.identity = identity
    this.run = run
    this.#clock = clock
    this.#onEnd = onEnd
  }

  /** null while it lives. */
  get status(): ExitStatus | null {
    return this.#status
  }

  /** Whether it is the job, and not a gate any more. */
  get executes(): boolean {
    return this.#executes
  }

  execute(): void {
    this.#executes = true
    const { durationMs = Number.POSITIVE_INFINITY, exitCode = 0 } = this.run
    this.#after(durationMs, { code: exitCode, signal: null })
  }

  signal(signal: EndSignal): void {
    const { ignoresTerm = false, killMs = 0 } = this.run
    const status = { code: null, signal }
    if (signal === 'SIGKILL') this.#after(this.#executes ? killMs : 0, status)
    else if (!(this.#executes && ignoresTerm)) this.end(status)
  }

  end(status: ExitStatus): void {
    if (this.#status !== null) return
    this.#status = status
    this.#ended.abort('ended')
    this.#onEnd()
    for (const watcher of this.#watchers) watcher(status)
  }

  watch(watcher: (status: ExitStatus) => void): void {
    if (this.#status === null) this.#watchers.push(watcher)
    else watcher(this.#status)
  }

  #after(ms: number, status: ExitStatus): void {
    if (ms === Number.POSITIVE_INFINITY) return
    if (ms <= 0 && status.signal !== null) {
      this.end(status)
      return
    }
    this.#clock.sleep(ms, this.#ended.signal).then(
      () => this.end(status),
      () => {},
    )
  }
}
