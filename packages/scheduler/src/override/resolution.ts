import { SchedulerError, TaskInvalidStructureError } from '../errors/index.js'
import {
  type Ending,
  MadeUpMinutes,
  type Run,
  ScheduledTask,
  type TaskGroup,
  WatchedTime,
} from '../polling/index.js'
import type { CheckedRegistration } from '../registration/registration.js'
import type { ScheduleChange, StoredSchedule } from '../storage/index.js'
import { decodeRecord } from '../task/decode-record.js'
import { newRecord, overridden, type TaskRecord } from '../task/task-record.js'

/** What is known when registrations are compared with what is stored. */
export interface ResolutionInput {
  readonly registrations: ReadonlyMap<string, CheckedRegistration>
  readonly groups: ReadonlyMap<string, TaskGroup>
  readonly now: number
  readonly instanceId: string
  /** Those that this very scheduler had before. */
  readonly earlierInstanceIds: ReadonlySet<string>
  readonly newSchedulerId: () => string
  /** Whether the process of the instance that initialized last lives. */
  readonly takesOver: boolean
  /** Runs of this very scheduler that go on, by task. */
  readonly runs: ReadonlyMap<string, Run>
  /** Ends of this very scheduler that could not be recorded, by task. */
  readonly unrecorded: ReadonlyMap<string, Ending>
}

export interface TaskCounts {
  newTasks: number
  preservedTasks: number
  overriddenTasks: number
  orphanedTasks: number
  removedTasks: number
}

/** What the registrations mean, given what is stored: each task, and what is to be written. */
export class Resolution {
  readonly tasks = new Map<string, ScheduledTask>()
  readonly counts: TaskCounts = {
    newTasks: 0,
    preservedTasks: 0,
    overriddenTasks: 0,
    orphanedTasks: 0,
    removedTasks: 0,
  }
  readonly watched: WatchedTime
  readonly schedulerId: string
  readonly change: ScheduleChange
  readonly #input: ResolutionInput
  readonly #livingInstance: string | null
  readonly #removed: number[] = []
  readonly #added: TaskRecord[] = []
  readonly #replaced: TaskRecord[] = []

  constructor(stored: StoredSchedule, input: ResolutionInput) {
    this.#input = input
    this.#livingInstance = input.takesOver ? stored.instanceId : null
    this.watched = WatchedTime.parse(stored.watched)
    this.schedulerId = stored.schedulerId ?? input.newSchedulerId()
    this.#readStored(stored.tasks)
    this.#addNew()
    this.watched.beginAt(input.now)
    this.change = {
      schedulerId: this.schedulerId,
      instanceId: input.instanceId,
      watched: this.watched.toString(),
      removed: this.#removed,
      added: this.#added,
      replaced: this.#replaced,
    }
  }

  #readStored(stored: Iterable<unknown>): void {
    const { registrations } = this.#input
    for (const value of stored) {
      const record = decoded(value)
      this.watched.lastTaskId = Math.max(this.watched.lastTaskId, record.id)
      const registration = registrations.get(record.name)
      if (this.tasks.has(record.name)) {
        throw new TaskInvalidStructureError(`Task "${record.name}" is stored twice`, value)
      }
      if (registration === undefined) this.#remove(record)
      else this.#keep(record, registration)
    }
  }

  #remove(record: TaskRecord): void {
    this.counts.removedTasks++
    this.#removed.push(record.id)
  }

  #keep(stored: TaskRecord, registration: CheckedRegistration): void {
    const { runs, unrecorded } = this.#input
    const ending = this.#isOurs(stored) ? unrecorded.get(stored.name) : undefined
    const known = ending?.record ?? this.#withoutRunElsewhere(stored)
    const isOverridden = differs(known, registration)
    const record = isOverridden ? overridden(known, registration) : known
    if (record !== stored) this.#replaced.push(record)
    const task = this.#schedule(record, registration, record.expression === stored.expression)
    const isOrphaned = record.runningInstance !== null && !runs.has(record.name)
    // The record keeps the start of the other instance until this one has recorded its own: dying
    // in between leaves an orphan, as before.
    task.isOrphaned = isOrphaned
    if (isOrphaned) this.counts.orphanedTasks++
    else if (isOverridden) this.counts.overriddenTasks++
    else this.counts.preservedTasks++
  }

  /**
   * A run of a living instance is no orphan. It goes on over there, and how it ends can't be
   * recorded any more; so for this schedule it is over, as if it had succeeded, except that nobody
   * knows. Kept in the record it would look like an orphan to the instance after this one.
   */
  #withoutRunElsewhere(stored: TaskRecord): TaskRecord {
    const { runningInstance } = stored
    const isElsewhere = runningInstance !== null && runningInstance === this.#livingInstance
    return isElsewhere ? { ...stored, runningInstance: null } : stored
  }

  #isOurs({ runningInstance }: TaskRecord): boolean {
    const { instanceId, earlierInstanceIds } = this.#input
    if (runningInstance === null) return false
    return runningInstance === instanceId || earlierInstanceIds.has(runningInstance)
  }

  #addNew(): void {
    for (const registration of this.#input.registrations.values()) {
      if (this.tasks.has(registration.name)) continue
      const record = newRecord(++this.watched.lastTaskId, registration)
      this.#added.push(record)
      this.#schedule(record, registration, true)
      this.counts.newTasks++
    }
  }

  #schedule(
    record: TaskRecord,
    { callback }: CheckedRegistration,
    hasSameExpression: boolean,
  ): ScheduledTask {
    const group = this.#input.groups.get(record.expression)!
    const task = new ScheduledTask(record, group, callback)
    task.hasNewExpression = !hasSameExpression
    task.dueMinute = this.#owedMinute(task)
    group.tasks.push(task)
    this.tasks.set(record.name, task)
    return task
  }

  /**
   * A task that has never run owes nothing but the minute that is now. One that has owes the latest
   * minute since its latest attempt; if that lies ahead, the clock was set back, and it is the
   * minute that is now, unless it has run for it.
   */
  #owedMinute(task: ScheduledTask): number | null {
    const { now } = this.#input
    const { group, record } = task
    const { lastAttemptAt } = record
    if (lastAttemptAt === null) return group.matches(now) ? group.latest(now) : null
    if (lastAttemptAt > now) {
      const minute = group.matches(now) ? group.latest(now) : null
      return minute === null || task.hasRunFor(minute, this.watched) ? null : minute
    }
    const minute = this.#latestUnhandled(task)
    return minute === null || minute <= lastAttemptAt ? null : minute
  }

  /**
   * The latest minute that did not come before already, and that it has not made up for, on a clock
   * that was set back since. With a new expression, what came before says nothing.
   */
  #latestUnhandled({ group, record, hasNewExpression }: ScheduledTask): number | null {
    const madeUp = MadeUpMinutes.parse(record.madeUpFor)
    let minute = group.latest(this.#input.now)
    while (minute !== null) {
      const cameBefore = hasNewExpression ? null : this.watched.earlierPass(minute, record.id)
      const handledFrom = cameBefore ?? madeUp.startOf(minute)
      if (handledFrom === null) return minute
      minute = group.latest(handledFrom - 1)
    }
    return null
  }
}

/** Which task it is may be all that can be read of it. */
function decoded(value: unknown): TaskRecord {
  try {
    return decodeRecord(value)
  } catch (error) {
    const { id, name } = (value ?? {}) as Partial<Record<keyof TaskRecord, unknown>>
    const known = [
      typeof name === 'string' ? `task ${JSON.stringify(name)}` : 'a task',
      ...(typeof id === 'number' ? [`with the id ${id}`] : []),
    ]
    throw error instanceof SchedulerError ? error.locate(known.join(' ')) : error
  }
}

function differs(record: TaskRecord, { expression, retryDelayMs }: CheckedRegistration): boolean {
  return record.expression !== expression || record.retryDelayMs !== retryDelayMs
}
