import type { RetryDelay } from '../duration/index.js'

/**
 * What a task does. If it answers a promise, the run lasts until that settles, and a rejection is a
 * failure, like something that is thrown; any other answer is ignored.
 */
export type Callback = () => unknown

/** Name, POSIX cron expression, callback, delay before a failed run is tried again. */
export type Registration = readonly [
  name: string,
  expression: string,
  callback: Callback,
  retryDelay: RetryDelay,
]

/** A registration that was checked, in one form. */
export interface CheckedRegistration {
  readonly name: string
  readonly expression: string
  readonly callback: Callback
  readonly retryDelayMs: number
}
