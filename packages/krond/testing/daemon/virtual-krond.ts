import { createLog } from '@kron/runtime'
import { VirtualClock } from '@kron/runtime/testing'
import { Daemon } from '../../src/daemon/daemon.js'
import type { HostJob } from '../../src/daemon/job-record.js'
import type { LogEvents } from '../../src/daemon/log-events.js'
import {
  type DaemonOptions,
  defaultOptions,
  nobody,
  type Observer,
  type StateKeeper,
} from '../../src/daemon/ports.js'
import type { Disk } from '../../src/disk/disk.js'
import {
  emptyState,
  encodeState,
  prepareStateFolder,
  StateStore,
  stateFileName,
} from '../../src/state/index.js'
import { type FaultPlan, FaultyDisk } from '../disk/faulty-disk.js'
import { MemoryDisk } from '../disk/memory-disk.js'
import type { VirtualWorld } from '../process/virtual-process.js'
import { VirtualProcesses } from '../process/virtual-processes.js'
import { notedFiles, notedProcesses } from './noted-ports.js'

export const stateFolder = '/state'

/** A line of the log as JSON has it. */
export type LoggedLine = Readonly<Record<string, unknown>> & {
  readonly time: string
  readonly level: string
  readonly event: string
}

export interface VirtualKrondOptions {
  readonly at: string
  /** What becomes of each start; a minute of work that ends well if left out. */
  readonly world?: VirtualWorld
  /** After which one numbers of processes come again. */
  readonly highestPid?: number | undefined
  /** See the clock's options: fewer are faster, where nothing needs the event loop. */
  readonly quietTurns?: number
  readonly observer?: Observer
}

/** One daemon on the host. */
export interface Life {
  readonly daemon: Daemon
  /** null when it ended in order, else why it did not; never when it was killed. */
  readonly ended: Promise<unknown>
}

/** A host without a machine on which one daemon runs after the other. */
export class VirtualKrond {
  readonly clock: VirtualClock
  readonly disk: MemoryDisk
  readonly processes: VirtualProcesses
  readonly lines: LoggedLine[] = []
  /** What daemons did to the world, in order: `prepare`, `replace`, `release`, `log started`, ... */
  readonly effects: string[] = []
  readonly #observer: Observer
  #alive = { is: false }

  constructor({
    at,
    world = () => ({ durationMs: 60_000 }),
    highestPid = 32_768,
    quietTurns,
    observer = nobody,
  }: VirtualKrondOptions) {
    this.#observer = observer
    this.clock = new VirtualClock(Date.parse(at), quietTurns === undefined ? {} : { quietTurns })
    this.disk = new MemoryDisk({ now: () => this.clock.now().getTime() })
    this.processes = new VirtualProcesses({ clock: this.clock, world, highestPid })
  }

  /**
   * Begins a life and lets it do what is to be done at once. The host has known jobs without state
   * for a day, unless it sees them for the first time.
   */
  async start(
    jobs: readonly HostJob[],
    options: Partial<DaemonOptions> & { fault?: FaultPlan; firstSight?: boolean } = {},
  ): Promise<Life> {
    const { fault = null, firstSight = false, ...daemonOptions } = options
    if (!firstSight) this.know(jobs)
    const life = this.begin(jobs, daemonOptions, new FaultyDisk(this.disk, fault))
    await this.clock.advanceBy(0)
    return life
  }

  /** Begins a life, and returns before anything was done. */
  begin(jobs: readonly HostJob[], options: Partial<DaemonOptions> = {}, disk?: Disk): Life {
    const alive = { is: true }
    this.#alive = alive
    const { clock } = this
    const noted = notedFiles(disk ?? this.disk, (effect) => this.#note(effect))
    const store = new StateStore({ disk: noted, folder: stateFolder, uid: 0, clock })
    const processes = notedProcesses(this.processes, (effect) => this.#note(effect))
    const write = (line: string): void => {
      if (alive.is) this.#log(JSON.parse(line) as LoggedLine)
    }
    const log = createLog({ format: 'json', level: 'debug', component: 'krond', clock, write })
    const world = { clock, store: mortal(store, alive), processes, log, observer: this.#observer }
    const daemon = new Daemon(world, { ...defaultOptions, ...options })
    const live = async (): Promise<unknown> => {
      try {
        prepareStateFolder(noted, stateFolder, 0)
        store.open()
        await daemon.prepare(jobs)
        await daemon.run()
        return null
      } catch (error) {
        return error
      }
    }
    return { daemon, ended: live() }
  }

  /** Makes the host one that has known these jobs for a day, and has handled nothing of them. */
  know(jobs: readonly HostJob[]): void {
    prepareStateFolder(this.disk, stateFolder, 0)
    const since = this.clock.now().getTime() - 86_400_000
    for (const hostJob of jobs) {
      const { identity, job } = hostJob
      if (this.disk.inspect(statePath(hostJob)) !== null) continue
      const responsibility = { timing: job.timing, since }
      const bytes = encodeState({ ...emptyState(identity), responsibility })
      this.disk.plant(statePath(hostJob), { bytes })
    }
  }

  /** The daemon dies without a word; its jobs go on. */
  kill(): void {
    this.#alive.is = false
    this.processes.crash()
  }

  events<E extends keyof LogEvents | 'error'>(...names: E[]): LoggedLine[] {
    return this.lines.filter(({ event }) => names.includes(event as E))
  }

  /** Names of the events since the line with this index, without what is said of plans. */
  happened(since = 0): string[] {
    const plans = ['decision', 'trigger', 'reschedule', 'unplanned']
    return this.lines.slice(since).flatMap(({ event }) => (plans.includes(event) ? [] : [event]))
  }

  /** What was executed: the name of the job and the period. */
  get executed(): string[] {
    return this.processes.executed.map(
      ({ identity, nominal }) => `${identity.split(':')[1]} ${instant(nominal!)}`,
    )
  }

  /** The state file of a job as JSON has it; null when there is none. */
  stateOf(hostJob: HostJob): Record<string, unknown> | null {
    const path = statePath(hostJob)
    if (this.disk.inspect(path) === null) return null
    return JSON.parse(new TextDecoder().decode(this.disk.read(path))) as Record<string, unknown>
  }

  #log(line: LoggedLine): void {
    this.lines.push(line)
    this.#note(`log ${line.event}`)
  }

  #note(effect: string): void {
    this.effects.push(effect)
  }
}

export const statePath = ({ identity }: HostJob): string =>
  `${stateFolder}/${stateFileName(identity)}`

/** RFC 3339 without fractions. */
export const instant = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z')

/** A line without what the log adds to each. */
export function fieldsOf(line: LoggedLine | undefined): Readonly<Record<string, unknown>> {
  const { time: _time, component: _component, ...fields } = line ?? { time: '', component: '' }
  return fields
}

function mortal(store: StateStore, alive: { readonly is: boolean }): StateKeeper {
  const never = new Promise<never>(() => {})
  return {
    load: (identity) => store.load(identity),
    save: (state) => (alive.is ? store.save(state) : never),
  }
}
