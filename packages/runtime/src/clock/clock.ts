/**
 * The only way to read or await time. Hosts get one; tests and simulation pass a virtual one.
 *
 * A sleep is a duration, not an appointment: a changed wall clock neither shortens nor lengthens
 * it. Code that waits for an instant reads `now()` again after waking.
 */
export interface Clock {
  now(): Date
  /**
   * Ends after `ms` milliseconds, soon when that is zero or less. Rejects with the signal's reason
   * when it aborts, and with a ValidationError when `ms` is not a duration.
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}
