import { VirtualClock } from '@kron/runtime/testing'
import {
  createScheduler,
  Duration,
  memoryStorage,
  type Registration,
  type Scheduler,
  type SchedulerEvent,
  type SchedulerOptions,
  type Storage,
} from '@kron/scheduler'

/** What a callback does, each time it is called; left out, it succeeds at once. */
export type Behaviour = () => unknown

export interface Attempt {
  readonly task: string
  /** ISO time without its fraction. */
  readonly at: string
}

const silent = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
}

/** Time, a storage and schedulers on it, of which one at a time is alive. */
export class World {
  readonly clock: VirtualClock
  readonly storage: Storage
  readonly events: SchedulerEvent[] = []
  readonly attempts: Attempt[] = []
  readonly #options: SchedulerOptions
  #life = 0

  constructor(start: string, options: SchedulerOptions = {}) {
    this.clock = new VirtualClock(new Date(start), { quietTurns: 1 })
    this.storage = options.storage ?? memoryStorage()
    this.#options = options
  }

  get now(): string {
    return shortTime(this.clock.now())
  }

  /** A scheduler of a new process: what an earlier one still does has no effect any more. */
  scheduler(options: SchedulerOptions = {}): Scheduler {
    const life = ++this.#life
    const isAlive = (): boolean => life === this.#life
    return createScheduler({
      storage: this.storage,
      timeZone: 'UTC',
      logger: silent,
      ...this.#options,
      ...options,
      clock: {
        now: () => this.clock.now(),
        sleep: async (ms, signal) => {
          await this.clock.sleep(ms, signal)
          if (!isAlive()) await new Promise(() => undefined)
        },
      },
      onEvent: (event) => {
        if (isAlive()) this.events.push(event)
        return options.onEvent?.(event)
      },
    })
  }

  task(
    name: string,
    expression: string,
    behaviour: Behaviour = () => undefined,
    delay: Registration[3] = Duration.minutes(5),
  ): Registration {
    const callback = async (): Promise<void> => {
      this.attempts.push({ task: name, at: this.now })
      await behaviour()
    }
    return [name, expression, callback, delay]
  }

  /** Lets time pass until the wall clock shows `instant`, or by so many minutes. */
  async until(instant: string): Promise<void> {
    await this.clock.runUntil(new Date(instant))
  }

  async minutes(count: number): Promise<void> {
    await this.clock.advanceBy(count * 60_000)
  }

  /** Work that is ready comes to rest; no time passes. */
  async settled(): Promise<void> {
    await this.clock.advanceBy(0)
  }

  /** When each attempt of the task was made. */
  attemptsOf(task: string): string[] {
    return this.attempts.filter((attempt) => attempt.task === task).map(({ at }) => at)
  }

  eventTypes(): string[] {
    return this.events.map(({ type }) => type)
  }

  eventsOf<Type extends SchedulerEvent['type']>(
    type: Type,
  ): Extract<SchedulerEvent, { type: Type }>[] {
    return this.events.filter(
      (event): event is Extract<SchedulerEvent, { type: Type }> => event.type === type,
    )
  }
}

export function shortTime(date: Date): string {
  return date.toISOString().replace(/\.000Z$/, 'Z')
}

/** A promise whose end somebody else decides. */
export class Gate {
  readonly passed: Promise<void>
  open!: () => void
  fail!: (error: unknown) => void

  constructor() {
    this.passed = new Promise<void>((resolve, reject) => {
      this.open = resolve
      this.fail = reject
    })
  }
}

/** Whether a promise has settled by now. */
export function watch(promise: Promise<unknown>): { done: boolean } {
  const state = { done: false }
  const settle = () => {
    state.done = true
  }
  promise.then(settle, settle)
  return state
}
