import type { Registration } from '../registration/index.js'

/** Runs tasks at their minutes, from `initialize` until `stop`. */
export interface Scheduler {
  /**
   * Starts polling these tasks and no others. Rejects, and changes nothing, when a registration is
   * not in order, the storage fails, or the scheduler is initializing or running already.
   */
  initialize(registrations: readonly Registration[]): Promise<void>
  /**
   * Starts nothing any more, and resolves when everything that runs has ended. Called from inside a
   * callback it does not wait for that one.
   */
  stop(): Promise<void>
}
