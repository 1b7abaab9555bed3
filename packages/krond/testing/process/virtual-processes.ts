import { setImmediate } from 'node:timers'
import { ExecutionError, SystemError } from '@kron/core'
import type { Clock } from '@kron/runtime'
import { notExecuted } from '../../src/process/gate/gate-refusal.js'
import type {
  EndSignal,
  ExitStatus,
  Gate,
  Processes,
  Release,
  StartRequest,
} from '../../src/process/processes.js'
import type { ProcessIdentity } from '../../src/state/index.js'
import {
  type VirtualExecution,
  VirtualProcess,
  type VirtualRun,
  type VirtualWorld,
} from './virtual-process.js'

export interface VirtualProcessesOptions {
  readonly clock: Clock
  readonly world: VirtualWorld
  /** Numbers are given out in turn and come again after this one (default 32,768). */
  readonly highestPid?: number
  /** Which boot of the machine this is (default 1): processes do not outlive one. */
  readonly boot?: number
}

const lowestPid = 2
const bootIdOf = (boot: number): string =>
  `00000000-0000-4000-8000-${boot.toString(16).padStart(12, '0')}`

/**
 * A machine without processes, for simulation: a world says what becomes of each start, and
 * `executed` is what happened. It outlives the daemons that use it, see `crash`.
 */
export class VirtualProcesses implements Processes {
  readonly executed: VirtualExecution[] = []
  readonly #clock: Clock
  readonly #world: VirtualWorld
  readonly #highestPid: number
  readonly #bootId: string
  readonly #alive = new Map<number, VirtualProcess>()
  readonly #prepared = new Map<string, number>()
  #lastPid = lowestPid - 1
  #ticks = 0
  #life = 0

  constructor({ clock, world, highestPid = 32_768, boot = 1 }: VirtualProcessesOptions) {
    this.#clock = clock
    this.#world = world
    this.#highestPid = highestPid
    this.#bootId = bootIdOf(boot)
  }

  prepare(start: StartRequest): Promise<Gate> {
    const run = this.#runOf(start)
    const outcome = run.prepare ?? 'works'
    if (outcome !== 'works') return this.#ofThisLife(Promise.reject(refusal(outcome, start)))
    const identity = this.#nextIdentity()
    if (identity === null) return this.#ofThisLife(Promise.reject(refusal('transient', start)))
    const onEnd = (): void => void this.#alive.delete(identity.pid)
    const process = new VirtualProcess(identity, run, this.#clock, onEnd)
    this.#alive.set(identity.pid, process)
    return this.#ofThisLife(Promise.resolve(this.#gateOf(process, start)))
  }

  isAlive(identity: ProcessIdentity): boolean {
    return this.#find(identity) !== undefined
  }

  signal(identity: ProcessIdentity, signal: EndSignal): boolean {
    const process = this.#find(identity)
    process?.signal(signal)
    return process !== undefined
  }

  /** What a virtual job writes it writes at once, and to the daemon that started it. */
  resumeOutput(): () => Promise<void> {
    return () => Promise.resolve()
  }

  /** How many processes there are, gates among them. */
  get running(): number {
    return this.#alive.size
  }

  /**
   * The daemon dies: gates that were not released end, having run nothing; jobs go on. No promise
   * that was handed out before is ever settled, and no line is delivered any more.
   */
  crash(): void {
    this.#life++
    for (const process of [...this.#alive.values()]) {
      if (!process.executes) process.end({ code: 0, signal: null })
    }
  }

  #gateOf(process: VirtualProcess, start: StartRequest): Gate {
    const life = this.#life
    let release: Promise<Release> | null = null
    let abandoned = false
    const exited = new Promise<ExitStatus>((resolve) => process.watch(resolve))
    return {
      process: process.identity,
      exited: this.#ofThisLife(exited),
      release: () => {
        release ??= this.#ofThisLife(
          Promise.resolve(
            life === this.#life && !abandoned
              ? this.#release(process, start)
              : notExecuted('the gate was abandoned'),
          ),
        )
        return release
      },
      abandon: () => {
        if (release !== null) return
        abandoned = true
        process.end({ code: 0, signal: null })
      },
    }
  }

  #release(process: VirtualProcess, { identity, period, onLine }: StartRequest): Release {
    if (process.status !== null) return notExecuted('the gate ended before it was released')
    if (process.run.exec === 'fails') {
      process.end({ code: 127, signal: null })
      return notExecuted('the world says that it can not be executed')
    }
    const at = this.#clock.now().getTime()
    const { pid } = process.identity
    this.executed.push({ identity, nominal: period?.nominal ?? null, pid, at })
    this.#write(process.run.output ?? [], onLine)
    process.execute()
    return { kind: 'running' }
  }

  /** Not at once: the caller that waits for the release gets its answer before the first line. */
  #write(output: NonNullable<VirtualRun['output']>, onLine: StartRequest['onLine']): void {
    if (output.length === 0) return
    const life = this.#life
    setImmediate(() => {
      if (life !== this.#life) return
      for (const { stream, line } of output) onLine(stream, line)
    })
  }

  #runOf({ identity, period }: StartRequest): VirtualRun {
    const nominal = period?.nominal ?? null
    const key = `${nominal} ${identity}`
    const earlier = this.#prepared.get(key) ?? 0
    this.#prepared.set(key, earlier + 1)
    return this.#world({ identity, nominal, earlier })
  }

  #find({ pid, startTicks, bootId: boot }: ProcessIdentity): VirtualProcess | undefined {
    const process = this.#alive.get(pid)
    if (boot !== null && boot !== this.#bootId) return undefined
    const isOther = startTicks !== null && startTicks !== process?.identity.startTicks
    return isOther ? undefined : process
  }

  /** null when all numbers are taken. */
  #nextIdentity(): ProcessIdentity | null {
    if (this.#alive.size > this.#highestPid - lowestPid) return null
    do {
      this.#lastPid = this.#lastPid >= this.#highestPid ? lowestPid : this.#lastPid + 1
    } while (this.#alive.has(this.#lastPid))
    return { pid: this.#lastPid, startTicks: ++this.#ticks, bootId: this.#bootId }
  }

  /** A promise that is settled only as long as the daemon that got it lives. */
  #ofThisLife<T>(promise: Promise<T>): Promise<T> {
    const life = this.#life
    return new Promise((resolve, reject) => {
      promise.then(
        (value) => life === this.#life && resolve(value),
        (error) => life === this.#life && reject(error),
      )
    })
  }
}

function refusal(kind: 'transient' | 'permanent', { name }: StartRequest): Error {
  const details = { field: 'command', value: name }
  return kind === 'transient'
    ? new SystemError('KRON_SYSTEM', 'the world has no process left', details)
    : new ExecutionError('KRON_EXECUTION', 'the world does not have this command', details)
}
