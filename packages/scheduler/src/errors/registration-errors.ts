import { named, SchedulerError } from './scheduler-error.js'

export class RegistrationsNotArrayError extends SchedulerError<undefined> {
  constructor() {
    super('KRON_REGISTRATIONS_NOT_ARRAY', 'Registrations must be an array', undefined)
  }
  static {
    named(RegistrationsNotArrayError, 'RegistrationsNotArrayError')
  }
}

export interface RegistrationShapeDetails {
  readonly registrationIndex: number
  readonly received: unknown
}

export class RegistrationShapeError extends SchedulerError<RegistrationShapeDetails> {
  constructor(registrationIndex: number, received: unknown) {
    super(
      'KRON_REGISTRATION_SHAPE',
      'Invalid registration shape: expected [string, string, function, Duration]',
      { registrationIndex, received },
    )
  }
  static {
    named(RegistrationShapeError, 'RegistrationShapeError')
  }
}

export interface InvalidRegistrationDetails {
  readonly field: string
  readonly value: unknown
  readonly reason: string
}

export class InvalidRegistrationError extends SchedulerError<InvalidRegistrationDetails> {
  constructor(field: string, value: unknown, reason: string) {
    super('KRON_REGISTRATION_INVALID', `Invalid registration: ${field} ${reason}`, {
      field,
      value,
      reason,
    })
  }
  static {
    named(InvalidRegistrationError, 'InvalidRegistrationError')
  }
}

export class ScheduleDuplicateTaskError extends SchedulerError<{ readonly taskName: string }> {
  constructor(taskName: string) {
    super('KRON_TASK_DUPLICATE', `Task with name "${taskName}" is already scheduled`, { taskName })
  }
  static {
    named(ScheduleDuplicateTaskError, 'ScheduleDuplicateTaskError')
  }
}

export class NegativeRetryDelayError extends SchedulerError<{ readonly retryDelayMs: number }> {
  constructor(retryDelayMs: number) {
    super('KRON_RETRY_DELAY_NEGATIVE', 'Retry delay must be non-negative', { retryDelayMs })
  }
  static {
    named(NegativeRetryDelayError, 'NegativeRetryDelayError')
  }
}
