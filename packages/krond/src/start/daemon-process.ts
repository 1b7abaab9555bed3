import { type ExitCode, exitCodeOf, exitCodes } from '@kron/command'
import { tzdataVersion } from '@kron/core'
import {
  addProcessMetrics,
  type Clock,
  kronVersion,
  type Log,
  MetricRegistry,
  messageOf,
} from '@kron/runtime'
import type { Listener } from '@kron/runtime/listen'
import { type Configuration, usableConfiguration } from '../configuration/configuration.js'
import { toldSources } from '../control/daemon-contact.js'
import type { SignalSource } from '../control/signal-source.js'
import { countingObserver, Daemon, logVersion, measureDaemon } from '../daemon/index.js'
import type { Disk } from '../disk/disk.js'
import { acquireStateLock, type StateLock } from '../lock/state-lock.js'
import type { Processes } from '../process/index.js'
import type { ServiceManager } from '../service-manager/service-manager.js'
import { prepareStateFolder, StateStore } from '../state/index.js'
import type { Greet } from './greeting.js'
import type { StartSettings } from './start-settings.js'

/** All that a daemon uses of the machine that it runs on. */
export interface StartPorts {
  readonly clock: Clock
  readonly disk: Disk
  readonly processes: Processes
  /** What jobs write, also those that a former daemon started. */
  readonly output: JobOutputs
  readonly service: ServiceManager
  readonly signals: SignalSource
  readonly log: Log
  /** Why the log is not written just now; null when it is. */
  logTrouble(): string | null
  readonly uid: number
  readonly pid: number
  /** Of this run of the machine; null where it is not known. */
  readonly bootId: string | null
  /** Reads krontabs and crontabs; throws when they can't be used at all. */
  configure(): Configuration
  /** Gives memory back when there is nothing to do, until the signal. */
  keepSmall(isQuietFor: (ms: number) => boolean, signal: AbortSignal): Promise<void>
  /** Fails when this machine can't start jobs safely. */
  checkGate(): Promise<void>
  /** Shows a person who looks on that the daemon is at work; null where nobody does. */
  readonly greet: Greet | null
}

export interface JobOutputs {
  /** Takes over what a former daemon left. */
  open(): Promise<void>
  /** What no execution has resumed is of no job any more. */
  discardRest(): void
  close(): Promise<void>
}

/** Of the reason why a reload failed, in the answer to the command. The log has all of it. */
const maxAnswerLength = 4000

/** Of the identities that wait, in the answer to commands: all have to fit into one line. */
const maxQueueLength = 12_000
const queueNewsMs = 1000

/** A loop that has not turned for so long is stuck; it turns at least once a minute. */
const stuckMs = 120_000

/**
 * A daemon from its first to its last breath; answers the exit code of the process. The lock comes
 * before all else, so that a second daemon touches nothing.
 */
export async function runDaemon(settings: StartSettings, ports: StartPorts): Promise<ExitCode> {
  let lock: StateLock | null = null
  try {
    const { clock, disk, uid, pid } = ports
    const store = new StateStore({ disk, folder: settings.state, clock, uid })
    prepareStateFolder(disk, settings.state, uid)
    const about = { pid, startedAt: clock.now().toISOString(), ...toldSources(settings) }
    lock = acquireStateLock(settings.state, about)
    store.open()
    const daemon = new DaemonProcess(settings, ports, store, (news) => {
      lock?.describe({ ...about, ...news })
    })
    return await daemon.run()
  } catch (error) {
    ports.log.failure(error, { operation: 'start' })
    return exitCodeOf(error)
  } finally {
    lock?.release()
  }
}

class DaemonProcess {
  readonly #settings: StartSettings
  readonly #ports: StartPorts
  readonly #store: StateStore
  readonly #describe: (about: object) => void
  readonly #metrics = new MetricRegistry()
  readonly #daemon: Daemon
  readonly #ended = new AbortController()
  #reloads: Promise<void> = Promise.resolve()
  #listener: Listener | null = null
  #isStopping = false
  /** What others can read about this daemon, besides who it is. */
  #news: object = {}
  #isTellingOfQueue = false

  constructor(
    settings: StartSettings,
    ports: StartPorts,
    store: StateStore,
    describe: (about: object) => void,
  ) {
    this.#settings = settings
    this.#ports = ports
    this.#store = store
    this.#describe = describe
    const { clock, processes, log } = ports
    const observer = countingObserver(this.#metrics)
    this.#daemon = new Daemon({ clock, store, processes, log, observer }, settings)
    measureDaemon(this.#metrics, this.#daemon)
    addProcessMetrics(this.#metrics)
    this.#daemon.onQueueChange = () => void this.#tellOfQueue()
  }

  async run(): Promise<ExitCode> {
    const { log, signals, service, output, pid, bootId } = this.#ports
    // First: anybody who sees the lock may send a signal, which ends a process that has no handler.
    const unsubscribe = signals.subscribe({
      stop: () => this.#stop(),
      leave: () => this.#leave(),
      reload: () => this.#reload(),
    })
    try {
      const { state, strict } = this.#settings
      const jobs = this.#configuredJobs({ strict })
      await this.#ports.checkGate()
      const about = { version: kronVersion, tzdata: tzdataVersion, state, jobs: jobs.length, pid }
      log.info('start', { ...about, log_version: logVersion, boot_id: bootId })
      await output.open()
      await this.#daemon.prepare(jobs)
      output.discardRest()
      await this.#listen()
      void service.ready()
      void service.watch(() => this.#isHealthy(), this.#ended.signal)
      const isQuietFor = (ms: number): boolean => this.#daemon.isQuietFor(ms)
      void this.#ports.keepSmall(isQuietFor, this.#ended.signal)
      this.#ports.greet?.({ jobs: jobs.length, next: this.#daemon.next })
      return await this.#untilEnd()
    } finally {
      unsubscribe()
      this.#ended.abort('ended')
      await this.#listener?.close()
      await output.close()
    }
  }

  /** All that is wrong is logged, each job and file on a line of its own. */
  #configuredJobs(usable: { strict: boolean }): Configuration['jobs'] {
    const { configure, log } = this.#ports
    const configuration = configure()
    for (const problem of configuration.problems) {
      log.failure(problem, { operation: 'read_configuration' })
    }
    for (const message of configuration.notices ?? []) log.warn('notice', { message })
    return usableConfiguration(configuration, usable).jobs
  }

  async #untilEnd(): Promise<ExitCode> {
    try {
      await this.#daemon.run()
      await this.#store.idle()
      return exitCodes.success
    } catch (error) {
      // The daemon has logged why it had to end.
      return exitCodeOf(error)
    }
  }

  async #listen(): Promise<void> {
    const { listen: address } = this.#settings
    if (address === null) return
    // An HTTP server is not light, and few ask for it.
    const { listen } = await import('../listen/routes.js')
    this.#listener = await listen(address, {
      view: this.#daemon,
      metrics: this.#metrics,
      clock: this.#ports.clock,
      healthy: () => this.#isHealthy(),
      logTrouble: () => this.#ports.logTrouble(),
    })
    this.#ports.log.info('listening', { address: this.#listener.address })
  }

  #isHealthy(): boolean {
    // Once it stops the loop stands still, and only waits for jobs.
    if (this.#isStopping) return true
    return this.#ports.clock.now().getTime() - this.#daemon.lastTurnAt < stuckMs
  }

  /** The first time it waits for what runs, the second time it does not. */
  #stop(): void {
    if (this.#isStopping) this.#daemon.stopNow()
    else {
      this.#beginStop()
      void this.#daemon.stop({ kill: this.#settings.kill })
    }
  }

  #leave(): void {
    this.#beginStop()
    void this.#daemon.leave()
  }

  #beginStop(): void {
    this.#isStopping = true
    void this.#ports.service.stopping()
  }

  /** One after the other; each reads what the files say then. */
  #reload(): void {
    this.#reloads = this.#reloads
      .then(() => this.#reloadNow())
      .catch((error: unknown) => this.#ports.log.failure(error, { operation: 'answer_reload' }))
  }

  /** All or nothing: what can't be used as a whole leaves the old jobs as they are. */
  async #reloadNow(): Promise<void> {
    const { log, service, clock } = this.#ports
    await service.reloading()
    let failure: string | null = null
    try {
      await this.#daemon.reload(this.#configuredJobs({ strict: true }))
    } catch (error) {
      log.failure(error, { operation: 'reload' })
      failure = messageOf(error).slice(0, maxAnswerLength)
    }
    this.#announce({ reloadedAt: clock.now().toISOString(), reloadFailure: failure })
    await service.ready()
  }

  #announce(news: object): void {
    this.#news = { ...this.#news, ...news }
    this.#describe(this.#news)
  }

  /** A second later, so that a rush of thousands is announced once. */
  async #tellOfQueue(): Promise<void> {
    if (this.#isTellingOfQueue) return
    this.#isTellingOfQueue = true
    try {
      await this.#ports.clock.sleep(queueNewsMs, this.#ended.signal)
      this.#isTellingOfQueue = false
      const waiting = [...firstOf(this.#daemon.queue(), maxQueueLength)]
      this.#announce({ waitingCount: this.#daemon.waitingCount, waiting })
    } catch (error) {
      this.#isTellingOfQueue = false
      if (this.#ended.signal.aborted) return
      this.#ports.log.failure(error, { operation: 'tell_of_queue' })
    }
  }
}

/** As many as fit into so many characters. */
function* firstOf(identities: Iterable<string>, most: number): Iterable<string> {
  let length = 0
  for (const identity of identities) {
    length += identity.length
    if (length > most) return
    yield identity
  }
}
