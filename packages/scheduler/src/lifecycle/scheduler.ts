import { randomUUID } from 'node:crypto'
import type { Registration } from '../registration/registration.js'
import { Lifecycle } from './lifecycle.js'
import { portsOf, type SchedulerOptions } from './scheduler-options.js'

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

export function createScheduler(options: SchedulerOptions = {}): Scheduler {
  const lifecycle = new Lifecycle(portsOf(options), randomUUID)
  return {
    initialize: (registrations) => lifecycle.initialize(registrations),
    stop: () => lifecycle.stop(),
  }
}
