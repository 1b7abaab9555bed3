import { DueHeap } from '@kron/runtime'
import type { TaskRecord } from '../task/task-record.js'
import type { ScheduledTask } from './scheduled-task.js'

const msPerSecond = 1000

/** Tasks that failed, by the time when they may be tried again. */
export class Retries {
  readonly #heap = new DueHeap<ScheduledTask>()

  get nextAt(): number {
    return this.#heap.peek()?.due ?? Number.POSITIVE_INFINITY
  }

  await(task: ScheduledTask, now: number): void {
    this.#heap.set(task, retryAt(task.record, now))
  }

  forget(task: ScheduledTask): void {
    this.#heap.remove(task)
  }

  takeDue(now: number): ScheduledTask[] {
    return this.#heap.popDue(now)
  }

  /** The clock was set back to `now`: nobody waits longer than the delay that was asked for. */
  rewind(now: number): void {
    const waiting = this.#heap.popDue(Number.MAX_VALUE)
    for (const task of waiting) this.await(task, now)
  }
}

/**
 * From when on it is tried again: at its time, but not in the second in which it failed, so that a
 * task without a delay that always fails does not spin. If the failure lies ahead, the clock was
 * set back since, and the whole delay counts from now.
 */
function retryAt({ pendingRetryUntil, lastFailureAt }: TaskRecord, now: number): number {
  const until = pendingRetryUntil ?? now
  const failedAt = lastFailureAt ?? until
  const nextSecond = failedAt - (failedAt % msPerSecond) + msPerSecond
  const at = Math.max(until, nextSecond)
  return failedAt > now ? Math.min(at, now + (at - failedAt)) : at
}
