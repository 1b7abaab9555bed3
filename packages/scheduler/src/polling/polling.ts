import { setImmediate } from 'node:timers'
import { WakeableSleep } from '@kron/runtime'
import type { TaskRecord } from '../task/task-record.js'
import { Occurrences } from './occurrences.js'
import { RecordWriter, type RecordWriterPorts } from './record-writer.js'
import { Retries } from './retries.js'
import { type Failure, Run, type RunKeeper } from './run.js'
import {
  announceEnding,
  announceStart,
  type Ending,
  endingOf,
  type Start,
  startOf,
  undoneStart,
} from './run-record.js'
import type { ScheduledTask, TaskGroup } from './scheduled-task.js'
import { StopWait } from './stop-wait.js'
import { WallClock } from './wall-clock.js'
import type { WatchedTime } from './watched-time.js'

export interface PollingOptions extends RecordWriterPorts {
  readonly groups: readonly TaskGroup[]
  readonly watched: WatchedTime
  /** The instant for which it was decided what each task owes. */
  readonly since: number
}

/** Starts of one transaction. More wait for the next one, so that the first need not wait long. */
const maxStartsAtOnce = 10_000
/** Starts of one transaction that let the ends of runs wait, and for how many transactions. */
const fewestOfRush = 1000
const maxRushes = 32
/** Attempts to write the last ends when it stops: without a pause, since a stop must end. */
const lastAttempts = 3
const pauseAfterSurpriseMs = 1000

/**
 * The loop. In each round: what has fallen due, then one transaction that records the ends of runs
 * and the starts to come, then the events, then the callbacks.
 *
 * - Dying before the transaction: nothing has happened; what was due is due again.
 * - Dying after it and before a callback: its start is recorded without an end, so the next
 *   instance finds an orphan and starts it.
 * - A transaction that fails: the tasks still owe what they owed, and no callback was called. One
 *   that only seems to fail is repeated, with a later time of the attempt.
 * - Dying between the end of a callback and the transaction with it: an orphan, which runs again.
 *   A run has ended when its end is recorded, and not before; only then is its event emitted.
 */
export class Polling implements RunKeeper {
  readonly #options: PollingOptions
  readonly #wallClock: WallClock
  readonly #occurrences: Occurrences
  readonly #retries = new Retries()
  readonly #sleep: WakeableSleep
  readonly #runs = new Set<Run>()
  #queue: ScheduledTask[] = []
  #endings: Ending[] = []
  /** Tasks whose start could not be recorded, or was it? */
  readonly #unsure = new Set<ScheduledTask>()
  /** Writes in a row that left the ends of runs for later. */
  #rushes = 0
  #isStopping = false
  #isReleased = false
  readonly #writer: RecordWriter
  readonly #whenQuiet = new Map<StopWait, () => void>()

  constructor(options: PollingOptions) {
    this.#options = options
    const { clock, watched, since, announcer, groups } = options
    this.#wallClock = new WallClock(clock, watched, since, announcer)
    this.#occurrences = new Occurrences(groups, since)
    this.#sleep = new WakeableSleep(clock)
    this.#writer = new RecordWriter(options)
    for (const group of groups) for (const task of group.tasks) this.#take(task)
  }

  get runs(): readonly Run[] {
    return [...this.#runs]
  }

  /** Ends that could not be recorded. */
  get unrecorded(): readonly Ending[] {
    return this.#endings
  }

  /** A run of an earlier initialization goes on. */
  adopt(run: Run, task: ScheduledTask | null): void {
    run.keeper = this
    run.task = task
    if (task !== null) task.run = run
    this.#runs.add(run)
    if (run.hasEnded) this.runEnded(run, run.failure)
  }

  /** Polls until it is stopped and everything has ended. */
  async poll(): Promise<void> {
    while (!this.#isOver) {
      try {
        await this.#round()
        if (this.#isStopping) this.#tellQuiet()
        if (!this.#isOver) await this.#pause()
      } catch (error) {
        await this.#surprise(error)
      }
    }
    for (let attempt = 0; attempt < lastAttempts && this.#endings.length > 0; attempt++) {
      await this.#recordAndStart(this.#wallClock.now())
    }
    this.#tellQuiet()
  }

  /** Whether all has ended, so that nothing will be polled any more. */
  get isOver(): boolean {
    return this.#isOver
  }

  get hasAbandonedStorage(): boolean {
    return this.#writer.isAbandoned
  }

  stop(): void {
    this.#isStopping = true
    this.#writer.beginStopping()
    for (const task of this.#unsure) this.#endings.push(undoneStart(task))
    this.#unsure.clear()
    this.#sleep.wake()
  }

  /** This run waits for the others to end: they are no longer waited for on its behalf. */
  leave(run: Run): void {
    run.isLeaving = true
    this.#sleep.wake()
  }

  /**
   * Resolves once it is stopping and no run is left but those that wait for the caller, a run of
   * this or another scheduler; the ends of all others are written by then.
   */
  async quietFor(caller: Run): Promise<void> {
    await new Promise<void>((resolve) => {
      const wait = new StopWait(caller, this.runs, () => this.#sleep.wake())
      this.#whenQuiet.set(wait, resolve)
      wait.begin()
    })
  }

  /** Ends without the runs that go on; the caller takes them over. */
  release(): readonly Run[] {
    this.#isReleased = true
    const runs = this.runs
    this.#runs.clear()
    for (const run of runs) run.keeper = nobody
    this.#sleep.wake()
    return runs
  }

  runEnded(run: Run, failure: Failure | null): void {
    this.#runs.delete(run)
    const { task } = run
    if (task !== null) this.#taskEnded(task, failure)
    this.#sleep.wake()
  }

  #taskEnded(task: ScheduledTask, failure: Failure | null): void {
    const at = this.#wallClock.now()
    const ending = endingOf(task, at, failure)
    task.record = ending.record
    task.run = null
    task.hasUnrecordedEnd = true
    this.#endings.push(ending)
    if (failure !== null) this.#retries.await(task, at)
    this.#enqueue(task)
  }

  /** Whether it is stopping, and no run is left but those that are leaving. */
  get isQuiet(): boolean {
    return this.#isStopping && this.runs.every((run) => run.isLeaving)
  }

  get #isOver(): boolean {
    return this.#isStopping && (this.#isReleased || this.#runs.size === 0)
  }

  #tellQuiet(): void {
    for (const [wait, resolve] of this.#whenQuiet) {
      if (!wait.isFree) continue
      this.#whenQuiet.delete(wait)
      wait.end()
      resolve()
    }
  }

  #take(task: ScheduledTask): void {
    if (task.record.pendingRetryUntil !== null) this.#retries.await(task, this.#options.since)
    this.#enqueue(task)
  }

  #enqueue(task: ScheduledTask): void {
    if (task.run !== null || task.isQueued || !task.owesRun) return
    task.isQueued = true
    this.#queue.push(task)
  }

  async #round(): Promise<void> {
    if (this.#isStopping) {
      await this.#recordAndStart(this.#wallClock.now())
      return
    }
    const { now, wentBack } = this.#wallClock.look()
    this.#options.announcer.tellCounted(now)
    if (wentBack) this.#rewind(now)
    this.#fallDue(now)
    while (now >= this.#writer.retryAt) {
      await this.#recordAndStart(now)
      if (this.#queue.length === 0 || this.#isStopping || this.#writer.isSuperseded) return
      await nextTurn()
    }
  }

  #rewind(now: number): void {
    this.#occurrences.rewind(now)
    this.#retries.rewind(now)
    this.#writer.rewind(now)
  }

  #fallDue(now: number): void {
    const { watched } = this.#wallClock
    for (const [group, minute] of this.#occurrences.dueAt(now)) {
      const cameBefore = minute <= watched.end
      for (const task of group.tasks) {
        const mayHaveRun = cameBefore || minute <= (task.record.lastAttemptAt ?? minute - 1)
        if (mayHaveRun && task.hasRunFor(minute, watched)) continue
        task.dueMinute = minute
        this.#enqueue(task)
      }
    }
    this.#wallClock.hasWatchedUntil(now)
    for (const task of this.#retries.takeDue(now)) {
      task.isRetryDue = true
      this.#enqueue(task)
    }
  }

  async #recordAndStart(now: number): Promise<void> {
    if (this.#writer.isSuperseded) {
      this.#endings = []
      return
    }
    if (this.#writer.isAbandoned) return
    const { announcer } = this.#options
    const starts = this.#isStopping ? [] : this.#nextStarts(now)
    const endings = this.#endingsBeside(starts)
    if (endings.length === 0 && starts.length === 0) return
    const records = [...endings, ...starts].map(({ record }) => record)
    try {
      await this.#writer.save(records, String(this.#wallClock.watched))
    } catch (error) {
      this.#endings = [...endings, ...this.#endings]
      this.#queue = [...starts.map(({ task }) => task), ...this.#queue]
      for (const { task } of starts) this.#unsure.add(task)
      this.#writer.failed(error, records, now)
      return
    }
    for (const { task } of starts) this.#unsure.delete(task)
    for (const ending of endings) {
      ending.task.hasUnrecordedEnd = false
      announceEnding(ending, announcer)
    }
    for (const start of starts) this.#begin(start)
  }

  /**
   * In a minute with many starts each is late by all that is written before it, so ends wait until
   * the starts are through, but not for ever. A task that starts again takes its end along: written
   * after its start, the end would undo it.
   */
  #endingsBeside(starts: readonly Start[]): readonly Ending[] {
    const isRush = starts.length >= fewestOfRush && this.#rushes < maxRushes
    const mayWait = isRush && !starts.some(({ task }) => task.hasUnrecordedEnd)
    this.#rushes = mayWait ? this.#rushes + 1 : 0
    if (mayWait) return []
    const endings = this.#endings
    this.#endings = []
    return endings
  }

  /** Never before the minute that a run is for: it would be owed again after a restart. */
  #nextStarts(now: number): Start[] {
    const { instanceId } = this.#options
    const at = Math.max(now, this.#wallClock.now())
    const { watched } = this.#wallClock
    const tasks = this.#queue.splice(0, maxStartsAtOnce)
    return tasks.map((task) => startOf(task, at, instanceId, watched))
  }

  #begin(start: Start): void {
    const { task, record } = start
    // The stop came while the start was being recorded. It is taken back; should that fail, the
    // next initialization takes it for an orphan, which is right as well: the run is owed.
    if (this.#isStopping) {
      this.#endings.push(undoneStart(task))
      task.isQueued = false
      return
    }
    // The minute may have turned since the start was recorded. It is served by this run as well,
    // so the attempt counts as of then; the record of the end will say so.
    const calledAt = this.#wallClock.now()
    if (calledAt >= this.#occurrences.nextAt) this.#fallDue(calledAt)
    const served = servesMinute(record, task.dueMinute, calledAt)
    announceStart({ task, record: served }, calledAt, this.#options.announcer)
    task.record = served
    task.settle()
    task.isQueued = false
    this.#retries.forget(task)
    const run = new Run(task, this)
    task.run = run
    this.#runs.add(run)
    void run.execute()
  }

  async #pause(): Promise<void> {
    // The round itself took too long, by a callback or by the storage: the next look notices it.
    if (!this.#isStopping && this.#wallClock.isBehind) return
    if (this.#options.groups.length === 0) return this.#sleep.untilWoken()
    const restMs = this.#wallClock.restUntil(this.#nextAt, this.#wallClock.now())
    await this.#sleep.for(restMs)
    if (restMs === 0) await this.#options.clock.sleep(0)
  }

  /** When there is something to do next, unless somebody wakes the loop before. */
  get #nextAt(): number {
    if (this.#writer.isSuperseded || this.#writer.isAbandoned) return Number.POSITIVE_INFINITY
    const isBehind = this.#endings.length > 0 || (this.#queue.length > 0 && !this.#isStopping)
    const storageAt = isBehind ? this.#writer.retryAt : Number.POSITIVE_INFINITY
    if (this.#isStopping) return storageAt
    return Math.min(this.#occurrences.nextAt, this.#retries.nextAt, storageAt)
  }

  /** Whatever goes wrong, the loop goes on; on the host's own timer, since the clock may be it. */
  async #surprise(error: unknown): Promise<void> {
    this.#options.announcer.surprise(error)
    await new Promise((resolve) => setTimeout(resolve, pauseAfterSurpriseMs))
  }
}

function servesMinute(record: TaskRecord, minute: number | null, calledAt: number): TaskRecord {
  const hasTurned = minute !== null && minute > record.lastAttemptAt! && minute <= calledAt
  return hasTurned ? { ...record, lastAttemptAt: minute } : record
}

const nobody: RunKeeper = { runEnded: () => undefined }

/** Lets what the callbacks have begun come to its turn. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
