import {
  SchedulerAlreadyActiveError,
  SchedulerError,
  SchedulerInitializationError,
  StorageError,
  TaskTryDeserializeError,
} from '../errors/index.js'
import { thrown } from '../event/index.js'
import { Resolution } from '../override/resolution.js'
import {
  announceEnding,
  type Ending,
  Polling,
  Run,
  StopPatience,
  untilEnded,
} from '../polling/index.js'
import { type Registered, registered } from './registered.js'
import type { SchedulerPorts } from './scheduler-options.js'
import { stopFrom } from './stop-from.js'

type State = 'uninitialized' | 'initializing' | 'running' | 'stopping' | 'stopped'

/**
 * Code that awaited `initialize` goes on before the first callback is called. A microtask is enough
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
  readonly #ports: SchedulerPorts
  readonly #newId: () => string
  /** Another one after a storage was abandoned: what it still does for the old one is refused. */
  #instanceId: string
  readonly #earlierInstanceIds = new Set<string>()
  readonly #initializations = new Set<Initialization>()
  #state: State = 'uninitialized'
  #polling: Polling | null = null
  #hasTasks = false
  #stopped: Promise<void> = Promise.resolve()
  /** What an earlier initialization left behind. */
  #runs = new Map<string, Run>()
  #unrecorded = new Map<string, Ending>()

  constructor(ports: SchedulerPorts, newId: () => string) {
    this.#ports = ports
    this.#newId = newId
    this.#instanceId = newId()
  }

  async initialize(registrations: unknown): Promise<void> {
    this.#refuseWhileActive()
    const initialization = new Initialization()
    this.#initializations.add(initialization)
    try {
      if (this.#state === 'stopping') {
        registered(registrations, this.#ports)
        await this.#stopToEnd()
        this.#refuseWhileActive()
      }
      await this.#initialize(registrations, initialization)
    } finally {
      this.#initializations.delete(initialization)
      initialization.end()
    }
  }

  stop(): Promise<void> {
    const caller = Run.current
    const isOurs = this.#leave(caller)
    const others = this.#stop(caller)
    return caller !== null && isOurs ? stopFrom(caller, others, this.#ports) : others
  }

  /** Resolves when all have ended but the caller and those that wait for it. */
  async #stop(caller: Run | null): Promise<void> {
    if (this.#state === 'running') this.#beginStopping()
    const underWay = [...this.#initializations]
    for (const initialization of underWay) initialization.isStopWanted = true
    for (const initialization of underWay) await initialization.over
    const polling = this.#state === 'stopping' ? this.#polling : null
    // Those that no polling keeps, since the initialization that was to take them over failed; and
    // those that will be handed over to a later one.
    const runs = [...this.#runs.values(), ...(polling?.runs ?? [])]
    if (polling !== null) await this.#untilQuiet(polling, caller)
    await untilEnded(caller, runs)
  }

  async #untilQuiet(polling: Polling, caller: Run | null): Promise<void> {
    if (caller !== null) await polling.quietFor(caller)
    if (caller === null || polling.isOver) await this.#stopped
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

  async #initialize(registrations: unknown, initialization: Initialization): Promise<void> {
    const { announcer } = this.#ports
    this.#state = 'initializing'
    try {
      announcer.announce({
        type: 'SchedulerInitializationStarted',
        time: this.#ports.clock.now(),
        registrations: Array.isArray(registrations) ? registrations.length : 0,
      })
      const checked = registered(registrations, this.#ports)
      const resolution = await this.#resolve(checked)
      this.#run(resolution, checked, initialization)
    } catch (unexpected) {
      const error =
        unexpected instanceof SchedulerError
          ? unexpected
          : new SchedulerInitializationError(unexpected)
      this.#state = 'uninitialized'
      announcer.announce({
        type: 'SchedulerInitializationFailed',
        time: this.#time(),
        ...thrown(error),
      })
      throw error
    }
  }

  /** Of an event that is emitted even if the clock is what failed. */
  #time(): Date {
    try {
      return this.#ports.clock.now()
    } catch {
      return new Date()
    }
  }

  /** Up to the commit of `change` nothing has happened; from then on nothing can fail. */
  async #resolve(checked: Registered): Promise<Resolution> {
    const { storage, whenInUse } = this.#ports
    await this.#withContext('open', () => storage.open())
    let resolution: Resolution | undefined
    try {
      const takesOver =
        (await this.#withContext('own', async () => storage.own?.(whenInUse))) ?? false
      await this.#withContext('initialize', () =>
        storage.change((stored) => {
          for (const group of checked.groups.values()) group.tasks.length = 0
          resolution = new Resolution(stored, {
            ...checked,
            instanceId: this.#instanceId,
            earlierInstanceIds: this.#earlierInstanceIds,
            newSchedulerId: this.#newId,
            takesOver,
            runs: this.#runs,
            unrecorded: this.#unrecorded,
          })
          return resolution.change
        }),
      )
      return resolution!
    } catch (error) {
      await this.#closeStorage()
      throw error
    }
  }

  /** State and promises first: a listener may call `stop` at once. */
  #run(resolution: Resolution, checked: Registered, initialization: Initialization): void {
    const { storage, clock, announcer } = this.#ports
    const { schedulerId, counts, watched, tasks } = resolution
    const instanceId = this.#instanceId
    const polling = new Polling({
      clock,
      storage,
      announcer,
      instanceId,
      groups: [...checked.groups.values()],
      watched,
      since: checked.now,
    })
    for (const run of this.#runs.values()) polling.adopt(run, tasks.get(run.taskName) ?? null)
    this.#runs.clear()
    const recorded = [...this.#unrecorded.values()]
    this.#unrecorded.clear()
    this.#polling = polling
    this.#hasTasks = tasks.size > 0
    this.#stopped = Run.outside(() => this.#untilStopped(polling))
    for (const ending of recorded) announceEnding(ending, announcer)
    const time = this.#time()
    if (this.#hasTasks) announcer.announce({ type: 'PollingStarted', time, tasks: tasks.size })
    announcer.announce({
      type: 'SchedulerInitializationCompleted',
      time,
      schedulerId,
      instanceId,
      ...counts,
    })
    this.#state = 'running'
    if (initialization.isStopWanted) this.#beginStopping()
  }

  #beginStopping(): void {
    const { announcer } = this.#ports
    const polling = this.#polling!
    this.#state = 'stopping'
    const time = this.#time()
    const runningTasks = polling.runs.length
    announcer.announce({ type: 'SchedulerStopRequested', time, runningTasks })
    if (this.#hasTasks) announcer.announce({ type: 'PollingStopRequested', time })
    polling.stop()
  }

  async #untilStopped(polling: Polling): Promise<void> {
    const { announcer } = this.#ports
    for (let turn = 0; turn < turnsBeforeFirstPoll; turn++) await null
    await polling.poll()
    for (const ending of polling.unrecorded) this.#unrecorded.set(ending.record.name, ending)
    if (this.#hasTasks) announcer.announce({ type: 'PollingStopped', time: this.#time() })
    if (polling.hasAbandonedStorage) this.#leaveStorage()
    else await this.#closeStorage()
    this.#state = 'stopped'
    announcer.announce({ type: 'SchedulerStopped', time: this.#time() })
  }

  /** If it is a run of ours that calls, another initialization need not wait for its end. */
  #leave(caller: Run | null): boolean {
    if (this.#polling === null || caller?.keeper !== this.#polling) return false
    this.#polling.leave(caller)
    return true
  }

  /** Callbacks that have asked for the stop run on, under what follows. */
  async #stopToEnd(): Promise<void> {
    for (const run of this.#polling!.release()) this.#runs.set(run.taskName, run)
    await this.#stopped
  }

  /**
   * It hangs: closing it may hang as well, so nobody waits for that. What it was asked to write may
   * be written at any time, also after the next initialization, and must not undo what that did.
   */
  #leaveStorage(): void {
    void this.#closeStorage()
    this.#earlierInstanceIds.add(this.#instanceId)
    this.#instanceId = this.#newId()
  }

  /** What was written is safe, so a storage that can't be closed is logged, and no more. */
  async #closeStorage(): Promise<void> {
    const { storage, announcer } = this.#ports
    const patience = new StopPatience(this.#ports.clock)
    patience.begin()
    try {
      await patience.forAnswer(storage.close())
    } catch (error) {
      announcer.surprise(new StorageError({ operation: 'close', place: storage.place }, error))
    }
  }

  /** Errors of ours say what happened; all others get the operation as context. */
  async #withContext<T>(operation: string, work: () => Promise<T>): Promise<T> {
    const { place } = this.#ports.storage
    try {
      return await work()
    } catch (error) {
      if (error instanceof TaskTryDeserializeError) throw error.locate(place)
      throw error instanceof SchedulerError ? error : new StorageError({ operation, place }, error)
    }
  }
}

/** A call of `initialize` that has not ended. */
class Initialization {
  /** A stop was called meanwhile: nothing may start after it. */
  isStopWanted = false
  readonly over: Promise<void>
  /** It has ended, however that was. */
  end!: () => void

  constructor() {
    this.over = new Promise((resolve) => {
      this.end = resolve
    })
  }
}
