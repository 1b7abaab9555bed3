import { type Announcer, type SchedulerEvent, thrown } from '../event/index.js'
import { failed, succeeded, type TaskRecord } from '../task/index.js'
import type { Failure } from './run.js'
import type { ScheduledTask } from './scheduled-task.js'

/** The end of a run, which is told once it is recorded. */
export interface Ending {
  readonly task: ScheduledTask
  readonly record: TaskRecord
  readonly at: number
  readonly failure: Failure | null
  /** A start that was taken back, of which nothing is told. */
  readonly isUndone: boolean
}

export function endingOf(task: ScheduledTask, at: number, failure: Failure | null): Ending {
  const record = failure === null ? succeeded(task.record, at) : failed(task.record, at)
  return { task, record, at, failure, isUndone: false }
}

/** The start of this task was recorded and not made: its record is what was before. */
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
