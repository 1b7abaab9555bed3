import { randomUUID } from 'node:crypto'
import { Lifecycle } from './lifecycle.js'
import type { Scheduler } from './scheduler.js'
import { type SchedulerOptions, surroundingsOf } from './scheduler-options.js'

export function createScheduler(options: SchedulerOptions = {}): Scheduler {
  const lifecycle = new Lifecycle(surroundingsOf(options), randomUUID)
  return {
    initialize: (registrations) => lifecycle.initialize(registrations),
    stop: () => lifecycle.stop(),
  }
}
