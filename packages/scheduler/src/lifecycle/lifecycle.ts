import { SchedulerAlreadyActiveError, SchedulerError, StorageError } from '../errors/index.js'
import { Resolution } from '../override/index.js'
import { type Ending, Polling, Run } from '../polling/index.js'
import { type Registered, registered } from './registered.js'
import type { Surroundings } from './scheduler-options.js'

type State = 'uninitialized' | 'initializing' | 'running' | 'stopping' | 'stopped'

/**
 * Whoever awaited `initialize` goes on before the first callback is called. A microtask is enough
 * for who awaits it directly; the others are for functions around it.
 */
const turnsBeforeFirstPoll = 8

/**
 * The states of a scheduler and the ways between them.
 *
 *     uninitialized -> initializing -> running -> stopping -> stopped -> initializing ...
 *                 ^--- (it failed) ---'
 */
export class Lifecycle {
  readonly #surroundings: Surroundings
  readonly #newId: () => string
  readonly #instanceId: string
  #state: State = 'uninitialized'
  #initialization: Promise<unknown> = Promise.resolve()
  #isStopWanted = false
  #polling: Polling | null = null
  #hasTasks = false
  #stopped: Promise<void> = Promise.resolve()
  /** What an earlier initialization left behind. */
  #runs = new Map<string, Run>()
  #unrecorded = new Map<string, Ending>()

  constructor(surroundings: Surroundings, newId: () => string) {
    this.#surroundings = surroundings
    this.#newId = newId
    this.#instanceId = newId()
  }

  async initialize(registrations: unknown): Promise<void> {
    this.#refuseWhileActive()
    if (this.#state === 'stopping') {
      this.#registered(registrations, this.#surroundings.clock.now())
      await this.#stopToEnd()
      this.#refuseWhileActive()
    }
    const initialization = this.#initialize(registrations)
    this.#initialization = initialization.catch(() => undefined)
    await initialization
  }

  async stop(): Promise<void> {
    const caller = this.#leavingCaller()
    if (this.#state === 'initializing') {
      this.#isStopWanted = true
      await this.#initialization
    } else if (this.#state === 'running') this.#beginStopping()
    if (this.#state !== 'stopping' || this.#polling === null) return
    if (caller !== null) return this.#polling.quiet()
    const { runs } = this.#polling
    await this.#stopped
    // Those that were handed over to a later initialization are waited for as well.
    await Promise.all(runs.map((run) => run.ended()))
  }

  #refuseWhileActive(): void {
    if (this.#state === 'initializing' || this.#state === 'running') {
      throw new SchedulerAlreadyActiveError(this.#state)
    }
    // Nobody knows how long those that run will take, and who initializes waits for no callback.
    if (this.#state === 'stopping' && !this.#polling!.isQuiet) {
      throw new SchedulerAlreadyActiveError('stopping')
    }
  }

  #registered(registrations: unknown, now: Date): Registered {
    return registered(registrations, now, this.#surroundings.zone)
  }

  async #initialize(registrations: unknown): Promise<void> {
    const { announcer, clock } = this.#surroundings
    this.#state = 'initializing'
    this.#isStopWanted = false
    // The minute of the call decides what a new task owes, however long the storage takes.
    const now = clock.now()
    announcer.announce({
      type: 'SchedulerInitializationStarted',
      time: now,
      registrations: Array.isArray(registrations) ? registrations.length : 0,
    })
    try {
      await this.#activate(this.#registered(registrations, now), now.getTime())
    } catch (error) {
      this.#state = 'uninitialized'
      announcer.announce({ type: 'SchedulerInitializationFailed', time: clock.now(), error })
      throw error
    }
  }

  /** Up to the commit of `change` nothing has happened; from then on nothing can fail. */
  async #activate(checked: Registered, now: number): Promise<void> {
    const { storage } = this.#surroundings
    await withContext('open', () => storage.open())
    let resolution: Resolution | undefined
    try {
      await withContext('initialize', () =>
        storage.change((stored) => {
          for (const group of checked.groups.values()) group.tasks.length = 0
          resolution = new Resolution(stored, {
            ...checked,
            now,
            instanceId: this.#instanceId,
            newSchedulerId: this.#newId,
            runs: this.#runs,
            unrecorded: this.#unrecorded,
          })
          return resolution.change
        }),
      )
    } catch (error) {
      await this.#closeStorage()
      throw error
    }
    this.#run(resolution!, checked, now)
  }

  #run(resolution: Resolution, { groups }: Registered, since: number): void {
    const { storage, clock, announcer } = this.#surroundings
    const polling = new Polling({
      clock,
      storage,
      announcer,
      instanceId: this.#instanceId,
      groups: [...groups.values()],
      watched: resolution.watched,
      since,
    })
    this.#polling = polling
    this.#state = 'running'
    for (const ending of this.#unrecorded.values()) {
      if (ending.event !== null) announcer.announce(ending.event)
    }
    this.#unrecorded.clear()
    const time = clock.now()
    const tasks = resolution.tasks.size
    this.#hasTasks = tasks > 0
    if (this.#hasTasks) announcer.announce({ type: 'PollingStarted', time, tasks })
    const { schedulerId, counts } = resolution
    announcer.announce({
      type: 'SchedulerInitializationCompleted',
      time,
      schedulerId,
      instanceId: this.#instanceId,
      ...counts,
    })
    for (const run of this.#runs.values()) {
      polling.adopt(run, resolution.tasks.get(run.taskName) ?? null)
    }
    this.#runs.clear()
    this.#stopped = this.#untilStopped(polling)
    if (this.#isStopWanted) this.#beginStopping()
  }

  #beginStopping(): void {
    const { announcer, clock } = this.#surroundings
    const polling = this.#polling!
    this.#state = 'stopping'
    const time = clock.now()
    const runningTasks = polling.runs.length
    announcer.announce({ type: 'SchedulerStopRequested', time, runningTasks })
    if (this.#hasTasks) announcer.announce({ type: 'PollingStopRequested', time })
    polling.stop()
  }

  async #untilStopped(polling: Polling): Promise<void> {
    const { announcer, clock } = this.#surroundings
    for (let turn = 0; turn < turnsBeforeFirstPoll; turn++) await null
    await polling.poll()
    for (const ending of polling.unrecorded) this.#unrecorded.set(ending.record.name, ending)
    if (this.#hasTasks) announcer.announce({ type: 'PollingStopped', time: clock.now() })
    await this.#closeStorage()
    this.#state = 'stopped'
    announcer.announce({ type: 'SchedulerStopped', time: clock.now() })
  }

  /** The run of ours that calls, if any. The others need not wait for it any more. */
  #leavingCaller(): Run | null {
    const caller = Run.current
    if (caller === null || this.#polling === null || caller.keeper !== this.#polling) return null
    this.#polling.leave(caller)
    return caller
  }

  /** Callbacks that have asked for the stop run on, under what follows. */
  async #stopToEnd(): Promise<void> {
    for (const run of this.#polling!.release()) this.#runs.set(run.taskName, run)
    await this.#stopped
  }

  /** What was written is safe, so a storage that can't be closed is told of, and no more. */
  async #closeStorage(): Promise<void> {
    const { storage, announcer } = this.#surroundings
    try {
      await storage.close()
    } catch (error) {
      announcer.surprise(new StorageError('close', error))
    }
  }
}

/** Errors of ours say what happened; all others get the operation as context. */
async function withContext(operation: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    throw error instanceof SchedulerError ? error : new StorageError(operation, error)
  }
}
