import { type Announcer, type Scheduled, type SchedulerEvent, thrown } from '../event/index.js'
import { failed, started, succeeded, type TaskRecord } from '../task/task-record.js'
import { MadeUpMinutes } from './made-up-minutes.js'
import type { Failure } from './run.js'
import type { ScheduledTask } from './scheduled-task.js'
import type { WatchedTime } from './watched-time.js'

/** A start that is about to be recorded. Nothing of the task changes before it is. */
export interface Start {
  readonly task: ScheduledTask
  readonly record: TaskRecord
}

export function startOf(
  task: ScheduledTask,
  at: number,
  instanceId: string,
  watched: WatchedTime,
): Start {
  const { record, dueMinute } = task
  const isMadeUp = dueMinute !== null && !watched.has(dueMinute, record.id)
  if (!isMadeUp) return { task, record: started(record, at, instanceId) }
  const madeUpFor = MadeUpMinutes.parse(record.madeUpFor).with(dueMinute).toString()
  return { task, record: started(record, at, instanceId, madeUpFor) }
}

/** A start is put into words only if somebody hears it. */
export function announceStart(start: Start, calledAt: number, announcer: Announcer): void {
  if (!announcer.hearsEverything) return
  for (const event of eventsOfStart(start, calledAt)) announcer.announce(event)
}

/**
 * Its events. Of a retry and a minute that are both due, the minute wins if it came before
 * the time of the retry, and takes its place; otherwise it is the retry that runs, once for both.
 */
function eventsOfStart({ task, record }: Start, calledAt: number): SchedulerEvent[] {
  const taskName = record.name
  const lastAttemptAt = new Date(record.lastAttemptAt!)
  const about = { time: new Date(calledAt), taskName }
  const { dueMinute } = task
  const scheduled = scheduledAt(dueMinute, calledAt)
  const { pendingRetryUntil } = task.record
  const runStarted = (reason: 'cron' | 'orphaned'): SchedulerEvent => ({
    type: 'TaskRunStarted',
    ...about,
    lastAttemptAt,
    reason,
    ...scheduled,
  })
  if (task.isOrphaned) return [runStarted('orphaned')]
  if (pendingRetryUntil === null) return [runStarted('cron')]
  const retry = { ...about, pendingRetryUntil: new Date(pendingRetryUntil) }
  if (dueMinute !== null && dueMinute < pendingRetryUntil) {
    return [{ type: 'TaskRetryPreempted', ...retry, ...scheduled }, runStarted('cron')]
  }
  return [{ type: 'TaskRetryStarted', ...retry, lastAttemptAt }]
}

/** A minute that is still to come was due on the clock before that was set back. */
function scheduledAt(minute: number | null, calledAt: number): Scheduled {
  if (minute === null) return { scheduledFor: null }
  const date = new Date(minute)
  return minute <= calledAt
    ? { scheduledFor: date }
    : { scheduledFor: null, scheduledBeforeSetBack: date }
}

/** The end of a run, which is announced once it is recorded. */
export interface Ending {
  readonly task: ScheduledTask
  readonly record: TaskRecord
  readonly at: number
  readonly failure: Failure | null
  /** A start that was taken back, of which nothing is announced. */
  readonly isUndone: boolean
}

export function endingOf(task: ScheduledTask, at: number, failure: Failure | null): Ending {
  const record = failure === null ? succeeded(task.record, at) : failed(task.record, at)
  return { task, record, at, failure, isUndone: false }
}

/** The start was recorded, and the callback not called: the record is what it was before. */
export function undoneStart(task: ScheduledTask): Ending {
  return { task, record: task.record, at: Number.NaN, failure: null, isUndone: true }
}

/** An ordinary end is put into words only if somebody hears it. */
export function announceEnding(ending: Ending, announcer: Announcer): void {
  if (ending.isUndone) return
  if (ending.failure === null && !announcer.hearsEverything) return
  announcer.announce(eventOfEnding(ending))
}

function eventOfEnding({ record, at, failure }: Ending): SchedulerEvent {
  const time = new Date(at)
  const lastAttemptAt = new Date(record.lastAttemptAt ?? at)
  const about = { time, taskName: record.name, lastAttemptAt }
  if (failure === null) return { type: 'TaskRunCompleted', ...about, lastSuccessAt: time }
  return {
    type: 'TaskRunFailed',
    ...about,
    lastFailureAt: time,
    pendingRetryUntil: new Date(record.pendingRetryUntil ?? at),
    ...thrown(failure.error),
  }
}
