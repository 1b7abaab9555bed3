import type { RetryDelay } from '../duration/index.js'

/** What a task does. The run lasts until the promise settles; a rejection is a failure. */
export type Callback = () => Promise<void>

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
