import type { TaskRecord } from './task-record.js'

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
