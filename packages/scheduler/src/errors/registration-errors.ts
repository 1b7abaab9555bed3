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

/**
 * Message and details are those of the specification, so which of the four is wrong stands beside
 * them: in `place`, and in words in the `cause`.
 */
export class RegistrationShapeError extends SchedulerError<RegistrationShapeDetails> {
  /** From 1 to 4; null if it is not a tuple of four at all. */
  readonly place: number | null

  constructor(
    registrationIndex: number,
    received: unknown,
    place: number | null,
    complaint: string,
  ) {
    super(
      'KRON_REGISTRATION_SHAPE',
      'Invalid registration shape: expected [string, string, function, Duration]',
      { registrationIndex, received },
      { cause: new TypeError(`registration ${registrationIndex}: ${complaint}`) },
    )
    this.place = place
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
