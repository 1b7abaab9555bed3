import { messageOf } from '@kron/runtime'
import { named, SchedulerError } from './scheduler-error.js'

/** `stopping`: a stop was asked for, and tasks still run. */
export type ActiveState = 'initializing' | 'running' | 'stopping'

export class SchedulerAlreadyActiveError extends SchedulerError<{
  readonly currentState: ActiveState
}> {
  constructor(currentState: ActiveState) {
    super(
      'KRON_SCHEDULER_ACTIVE',
      `Cannot initialize scheduler: scheduler is already ${currentState}`,
      { currentState },
    )
  }
  static {
    named(SchedulerAlreadyActiveError, 'SchedulerAlreadyActiveError')
  }
}

/** Something that nobody expected kept `initialize` from its work; see `details.cause`. */
export class SchedulerInitializationError extends SchedulerError<{ readonly cause: unknown }> {
  constructor(cause: unknown) {
    super(
      'KRON_INITIALIZATION_FAILED',
      `Failed to initialize scheduler: ${messageOf(cause)}`,
      { cause },
      { cause },
    )
  }
  static {
    named(SchedulerInitializationError, 'SchedulerInitializationError')
  }
}
