import type { SchedulerEvent } from '../event/index.js'
import { failed, succeeded, type TaskRecord } from '../task/index.js'
import type { Failure } from './run.js'

/** The end of a run, which is told once it is recorded. */
export interface Ending {
  readonly record: TaskRecord
  /** Null for a start that was taken back, of which nothing was told. */
  readonly event: SchedulerEvent | null
}

export function endingOf(record: TaskRecord, at: number, failure: Failure | null): Ending {
  const time = new Date(at)
  const about = {
    time,
    taskName: record.name,
    lastAttemptAt: new Date(record.lastAttemptAt ?? at),
  }
  if (failure === null) {
    const event = { type: 'TaskRunCompleted', ...about, lastSuccessAt: time } as const
    return { record: succeeded(record, at), event }
  }
  const after = failed(record, at)
  const pendingRetryUntil = new Date(after.pendingRetryUntil!)
  const { error } = failure
  const event = {
    type: 'TaskRunFailed',
    ...about,
    lastFailureAt: time,
    pendingRetryUntil,
    error,
  } as const
  return { record: after, event }
}
