import { AsyncLocalStorage } from 'node:async_hooks'
import { isGenerator } from '../registration/registration.js'
import { awaitCallbackOfRun } from './awaiting-run.js'
import type { ScheduledTask } from './scheduled-task.js'
import { lookAgain, type StopWait } from './stop-wait.js'

/** Who records how a run ended. It changes when the scheduler is initialized again meanwhile. */
export interface RunKeeper {
  runEnded(run: Run, failure: Failure | null): void
}

/** What a callback threw, which may be anything, even undefined. */
export interface Failure {
  readonly error: unknown
}

/** As a success it would hide that nothing has run. */
const generatorAnswered =
  'the callback returned a generator, of which nothing has run: go through it in the callback'

const runOfThisCall = new AsyncLocalStorage<Run | null>()

/** One execution of a callback, from its call until its promise settles. */
export class Run {
  /** Null once its task is no longer registered. */
  task: ScheduledTask | null
  keeper: RunKeeper
  readonly taskName: string
  /** It waits for the end of the others, so they need not wait for it. */
  isLeaving = false
  hasEnded = false
  /** Null as well for a run that goes on. */
  failure: Failure | null = null
  /** Stops that wait for its end, and those that it waits for itself. */
  awaitedBy: Set<StopWait> | null = null
  stopWaits: Set<StopWait> | null = null

  constructor(task: ScheduledTask, keeper: RunKeeper) {
    this.task = task
    this.taskName = task.record.name
    this.keeper = keeper
  }

  /** The run in which this is called, if it is one that goes on. */
  static get current(): Run | null {
    const run = runOfThisCall.getStore() ?? null
    return run === null || run.hasEnded ? null : run
  }

  /** Does something on behalf of nobody, from any caller: what it begins outlives the run. */
  static outside<T>(work: () => T): T {
    return runOfThisCall.run(null, work)
  }

  /**
   * Calls the callback before it returns, and resolves when the run has ended. A callback that throws
   * at once has failed like one whose promise rejects.
   */
  async execute(): Promise<void> {
    let failure: Failure | null = null
    try {
      const { callback } = this.task!
      const answer = await runOfThisCall.run(this, () => awaitCallbackOfRun(callback))
      if (isGenerator(answer)) throw new TypeError(generatorAnswered)
    } catch (error) {
      failure = { error }
    }
    this.hasEnded = true
    this.failure = failure
    this.keeper.runEnded(this, failure)
    if (this.awaitedBy !== null) lookAgain(this)
  }
}
