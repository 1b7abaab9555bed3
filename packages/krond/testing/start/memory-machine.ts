import type { ExitCode } from '@kron/command'
import { createLog } from '@kron/runtime'
import { VirtualClock } from '@kron/runtime/testing'
import type { Configuration } from '../../src/configuration/configuration.js'
import type { SignalHandlers } from '../../src/control/signal-source.js'
import { defaultOptions } from '../../src/daemon/index.js'
import type { Disk } from '../../src/disk/disk.js'
import { systemDisk } from '../../src/disk/system-disk.js'
import type { ServiceManager } from '../../src/service-manager/service-manager.js'
import { runDaemon, type StartPorts } from '../../src/start/daemon-process.js'
import type { Readiness } from '../../src/start/greeting.js'
import type { StartSettings } from '../../src/start/start-settings.js'
import type { LoggedLine } from '../daemon/virtual-krond.js'
import type { VirtualWorld } from '../process/virtual-process.js'
import { VirtualProcesses } from '../process/virtual-processes.js'

export interface MemoryMachineOptions {
  readonly at: string
  /** A real one, since the lock needs it. */
  readonly folder: string
  readonly configuration: Configuration
  /** What becomes of each start; a minute of work that ends well if left out. */
  readonly world?: VirtualWorld
}

/** A machine with virtual time and processes, and a real state folder. */
export class MemoryMachine {
  readonly clock: VirtualClock
  readonly processes: VirtualProcesses
  readonly lines: LoggedLine[] = []
  /** What the service manager was told. */
  readonly told: string[] = []
  /** What was done with the output of jobs, and how many were planned by then. */
  readonly outputs: string[] = []
  /** What somebody who looks on was told. */
  readonly greeted: Readiness[] = []
  /** What the service manager would hear now. */
  isHealthy = (): boolean => false
  world: VirtualWorld
  disk: Disk = systemDisk()
  /** What reading the files gives: jobs, or an error. */
  configuration: Configuration | Error
  gateFailure: Error | null = null
  onConfigure = (): void => {}
  readonly #folder: string
  #handlers: SignalHandlers = { stop() {}, leave() {}, reload() {} }

  constructor(options: MemoryMachineOptions) {
    const { at, folder, configuration, world = () => ({ durationMs: 60_000 }) } = options
    this.world = world
    this.clock = new VirtualClock(Date.parse(at))
    this.processes = new VirtualProcesses({
      clock: this.clock,
      world: (start) => this.world(start),
    })
    this.configuration = configuration
    this.#folder = folder
  }

  /** A daemon from its first to its last breath. */
  run(settings: Partial<StartSettings> = {}): Promise<ExitCode> {
    return runDaemon({ ...defaultSettings, state: this.#folder, ...settings }, this.#ports())
  }

  stop(): void {
    this.#handlers.stop()
  }

  leave(): void {
    this.#handlers.leave()
  }

  reload(): void {
    this.#handlers.reload()
  }

  events(...names: string[]): LoggedLine[] {
    return this.lines.filter(({ event }) => names.includes(event))
  }

  /** What was executed: the name of the job and the period. */
  get executed(): string[] {
    return this.processes.executed.map(({ identity, nominal }) => {
      const period = new Date(nominal!).toISOString().replace('.000', '')
      return `${identity.split(':')[1]} ${period}`
    })
  }

  #ports(): StartPorts {
    const { clock, disk, processes } = this
    const write = (line: string): void => void this.lines.push(JSON.parse(line) as LoggedLine)
    return {
      clock,
      disk,
      processes,
      output: {
        open: async () => this.#noteOutput('open'),
        discardRest: () => this.#noteOutput('discard the rest'),
        close: async () => this.#noteOutput('close'),
      },
      logTrouble: () => null,
      service: this.#service(),
      signals: {
        subscribe: (handlers) => {
          this.#handlers = handlers
          return () => {
            this.#handlers = { stop() {}, leave() {}, reload() {} }
          }
        },
      },
      log: createLog({ format: 'json', level: 'debug', component: 'krond', clock, write }),
      uid: process.getuid?.() ?? 0,
      pid: 4711,
      bootId: 'b1',
      configure: () => {
        this.onConfigure()
        if (this.configuration instanceof Error) throw this.configuration
        return this.configuration
      },
      greet: (readiness) => void this.greeted.push(readiness),
      keepSmall: async () => undefined,
      checkGate: async () => {
        if (this.gateFailure !== null) throw this.gateFailure
      },
    }
  }

  #noteOutput(what: string): void {
    this.outputs.push(`${what} with ${this.events('decision').length} planned`)
  }

  #service(): ServiceManager {
    const tell = (what: string) => async (): Promise<void> => void this.told.push(what)
    return {
      ready: tell('ready'),
      reloading: tell('reloading'),
      stopping: tell('stopping'),
      watch: async (isHealthy) => {
        this.isHealthy = isHealthy
      },
    }
  }
}

const defaultSettings: Omit<StartSettings, 'state'> = {
  ...defaultOptions,
  krontabs: [],
  crontabs: [],
  strict: false,
  kill: false,
  listen: null,
  logFormat: 'json',
  logLevel: 'info',
}
