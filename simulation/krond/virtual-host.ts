import { formatInstant, tzdataVersion } from '@kron/core'
import { createLog } from '@kron/runtime'
import { VirtualClock } from '@kron/runtime/testing'
import {
  Daemon,
  type DaemonOptions,
  type HostJob,
  logVersion,
  nobody,
  type StateKeeper,
} from '../../packages/krond/src/daemon/index.js'
import type { Disk } from '../../packages/krond/src/disk/disk.js'
import type { Gate, Processes, StartRequest } from '../../packages/krond/src/process/index.js'
import {
  prepareStateFolder,
  StateStore,
  stateFileName,
} from '../../packages/krond/src/state/index.js'
import { type FaultPlan, FaultyDisk } from '../../packages/krond/testing/disk/faulty-disk.js'
import { MemoryDisk } from '../../packages/krond/testing/disk/memory-disk.js'
import { passingDisk } from '../../packages/krond/testing/disk/passing-disk.js'
import type {
  VirtualExecution,
  VirtualRun,
  VirtualStart,
} from '../../packages/krond/testing/process/virtual-process.js'
import { VirtualProcesses } from '../../packages/krond/testing/process/virtual-processes.js'
import { Mortality } from '../mortality.js'
import type { Random } from '../random.js'
import { FirstSights } from './first-sights.js'
import { mortalClock, mortalProcesses } from './mortal-ports.js'

export const stateFolder = '/var/lib/krond'

/** Makes a keeper of state behave differently, to see that the checks notice. */
export type Distortion = (keeper: StateKeeper, clock: VirtualClock) => StateKeeper

/** What one daemon of the machine is: it lives until it is stopped, fails or dies. */
export interface Life {
  readonly mortality: Mortality
  readonly daemon: Daemon
  /** Resolves when it ended by itself: true if it was in order. Never, when it died. */
  readonly ended: Promise<boolean>
}

/** A machine with time, disk and processes of its own, on which daemons live and die. */
export class VirtualHost {
  readonly clock: VirtualClock
  readonly disk: MemoryDisk
  /** Everything the daemons wrote to their log. */
  readonly lines: string[] = []
  readonly executed: VirtualExecution[] = []
  /** Jobs of which something was executed that was not on disk. */
  readonly unrecorded: string[] = []
  readonly unanswered: string[] = []
  readonly sights: FirstSights
  readonly #random: Random
  readonly #options: DaemonOptions
  readonly #distortion: Distortion
  #processes: VirtualProcesses
  #boot = 1
  #pid = 0
  #faulty: FaultyDisk | null = null
  readonly #currentDisk: Disk

  constructor(startAt: number, random: Random, options: DaemonOptions, distortion: Distortion) {
    this.clock = new VirtualClock(startAt, { quietTurns: 0 })
    this.disk = new MemoryDisk({ now: () => this.clock.now().getTime() })
    this.sights = new FirstSights(() => this.clock.now().getTime())
    this.#random = random
    this.#options = options
    this.#distortion = distortion
    this.#currentDisk = new Proxy(this.disk, {
      get: (disk, method) => {
        const target = (this.#faulty ?? disk) as unknown as Record<PropertyKey, () => unknown>
        return target[method]!.bind(target)
      },
    })
    this.#processes = this.#newProcesses()
  }

  stepClock(ms: number): void {
    this.clock.step(ms)
    this.sights.clockStepped()
  }

  /** From now on the disk fails as planned; null: it works again. */
  set diskFault(plan: FaultPlan | null) {
    this.#faulty = plan === null ? null : new FaultyDisk(this.disk, plan)
  }

  /** A daemon starts. */
  start(jobs: readonly HostJob[]): Life {
    this.sights.see(jobs)
    const mortality = new Mortality()
    const clock = mortalClock(this.clock, mortality)
    const disk = passingDisk(this.#currentDisk, mortality)
    const processes = mortalProcesses(this.#recordedOnly(this.#processes), mortality)
    const write = (line: string): void => {
      if (!mortality.isDead) this.lines.push(line)
    }
    const log = createLog({ format: 'json', level: 'info', component: 'krond', clock, write })
    const store = new StateStore({ disk, folder: stateFolder, uid: 0, clock })
    const keeper = this.#distortion(store, this.clock)
    const daemon = new Daemon(
      { clock, store: keeper, processes, log, observer: nobody },
      this.#options,
    )
    const about = { version: '0', log_version: logVersion, state: stateFolder, pid: ++this.#pid }
    log.info('start', { ...about, tzdata: tzdataVersion, jobs: jobs.length })
    const live = async (): Promise<boolean> => {
      try {
        prepareStateFolder(disk, stateFolder, 0)
        store.open()
        await daemon.prepare(jobs)
        await daemon.run()
        await store.idle()
        return true
      } catch (error) {
        log.failure(error, { operation: 'run' })
        return false
      }
    }
    return { mortality, daemon, ended: live() }
  }

  /** The daemon of this life is no more, however it ended. */
  bury(life: Life): void {
    life.mortality.die()
    this.#collect()
    this.#processes.crash()
  }

  /** All processes are gone, and what was not durable may be. */
  losePower(life: Life): void {
    this.bury(life)
    this.disk.crash(this.#random.next)
    this.#boot++
    this.#processes = this.#newProcesses()
  }

  /** Notes every release of a period that the disk does not have as handled. */
  #recordedOnly(processes: Processes): Processes {
    return {
      isAlive: (process) => processes.isAlive(process),
      resumeOutput: (owner, onLine) => processes.resumeOutput(owner, onLine),
      signal: (process, signal) => processes.signal(process, signal),
      prepare: async (start) => {
        const gate = await processes.prepare(start)
        const release = (): ReturnType<Gate['release']> => {
          if (!this.#isRecorded(start)) this.unrecorded.push(start.identity)
          const { identity, period } = start
          if (this.sights.isBefore(identity, period!.chosen)) {
            this.unanswered.push(`${identity} ${formatInstant(period!.nominal)}`)
          }
          return gate.release()
        }
        return { ...gate, release }
      },
    }
  }

  #isRecorded({ identity, period }: StartRequest): boolean {
    const file = `${stateFolder}/${stateFileName(identity)}`
    if (this.disk.inspect(file) === null) return false
    const text = Buffer.from(this.disk.read(file)).toString('latin1')
    return text.includes(`"LastHandledPeriodID":"${formatInstant(period!.nominal)}"`)
  }

  #collect(): void {
    this.executed.push(...this.#processes.executed.splice(0))
  }

  #newProcesses(): VirtualProcesses {
    const world = (start: VirtualStart) => someRun(start, this.#random)
    return new VirtualProcesses({ clock: this.clock, world, boot: this.#boot })
  }
}

const minute = 60_000

/** What becomes of a start: mostly well and soon, now and then slow, stubborn or impossible. */
export function someRun({ earlier }: VirtualStart, random: Random): VirtualRun {
  if (earlier === 0 && random.chance(0.05)) return { prepare: 'transient' }
  if (random.chance(0.03)) return { prepare: 'permanent' }
  if (random.chance(0.04)) return { exec: 'fails' }
  const durationMs = random.pick([0, 10, 1000, 20_000, 3 * minute, 30 * minute, 300 * minute])
  const ignoresTerm = random.chance(0.15)
  const killMs = random.chance(0.1) ? random.pick([3000, 20_000, 40 * minute]) : 0
  return { durationMs, exitCode: random.pick([0, 0, 0, 1, 127]), ignoresTerm, killMs }
}
