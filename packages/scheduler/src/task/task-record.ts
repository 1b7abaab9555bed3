/** What is kept of a task. Instants are epoch milliseconds. */
export interface TaskRecord {
  /** Given by the scheduler, never used again for another task as long as this one is stored. */
  readonly id: number
  readonly name: string
  readonly expression: string
  readonly retryDelayMs: number
  /** When the latest run started; null: it has never run. */
  readonly lastAttemptAt: number | null
  readonly lastSuccessAt: number | null
  readonly lastFailureAt: number | null
  /** Until when the failed run waits; null unless the task awaits a retry. */
  readonly pendingRetryUntil: number | null
  /** The instance whose run has a recorded start and no recorded end. */
  readonly runningInstance: string | null
  /** Minutes that it ran for when they were over, as text of the scheduler; null: none. */
  readonly madeUpFor: string | null
}

/** The record of a task that was never seen before. */
export function newRecord(
  id: number,
  { name, expression, retryDelayMs }: Pick<TaskRecord, 'name' | 'expression' | 'retryDelayMs'>,
): TaskRecord {
  return {
    id,
    name,
    expression,
    retryDelayMs,
    lastAttemptAt: null,
    lastSuccessAt: null,
    lastFailureAt: null,
    pendingRetryUntil: null,
    runningInstance: null,
    madeUpFor: null,
  }
}

/** To Running, from wherever it was: the attempt is recorded and a pending retry is over. */
export function started(
  record: TaskRecord,
  at: number,
  instanceId: string,
  madeUpFor = record.madeUpFor,
): TaskRecord {
  return {
    ...record,
    lastAttemptAt: at,
    pendingRetryUntil: null,
    runningInstance: instanceId,
    madeUpFor,
  }
}

/** From Running to AwaitingRun. */
export function succeeded(record: TaskRecord, at: number): TaskRecord {
  return { ...record, lastSuccessAt: at, pendingRetryUntil: null, runningInstance: null }
}

/** From Running to AwaitingRetry. */
export function failed(record: TaskRecord, at: number): TaskRecord {
  return {
    ...record,
    lastFailureAt: at,
    pendingRetryUntil: Math.ceil(at + record.retryDelayMs),
    runningInstance: null,
  }
}

/** Another configuration; what happened, and a retry that waits, stay. */
export function overridden(
  record: TaskRecord,
  { expression, retryDelayMs }: Pick<TaskRecord, 'expression' | 'retryDelayMs'>,
): TaskRecord {
  return { ...record, expression, retryDelayMs }
}
