import { type ErrorCategory, KronError, named } from './kron-error.js'

/** Syntax, a missing field, an unknown name, a negative duration: no decision is produced. */
export class ConfigurationError extends KronError {
  readonly category: ErrorCategory = 'ConfigurationError'
  static {
    named(ConfigurationError, 'ConfigurationError')
  }
}

/** Well-formed, but it can't mean anything: out of range, overlapping, malformed clause. */
export class ValidationError extends KronError {
  readonly category: ErrorCategory = 'ValidationError'
  static {
    named(ValidationError, 'ValidationError')
  }
}

/** The engine could not decide. The period stays unhandled, and the host may try again. */
export class SchedulingError extends KronError {
  readonly category: ErrorCategory = 'SchedulingError'
  static {
    named(SchedulingError, 'SchedulingError')
  }
}

/** A constraint failed while it was being evaluated; hosts treat it as a SchedulingError. */
export class ConstraintError extends KronError {
  readonly category: ErrorCategory = 'ConstraintError'
  static {
    named(ConstraintError, 'ConstraintError')
  }
}

/** Fork, exec, permission drop, non-zero exit. Never retried by itself. */
export class ExecutionError extends KronError {
  readonly category: ErrorCategory = 'ExecutionError'
  static {
    named(ExecutionError, 'ExecutionError')
  }
}

/** State that can't be read or written; fatal once an execution may have begun. */
export class PersistenceError extends KronError {
  readonly category: ErrorCategory = 'PersistenceError'
  static {
    named(PersistenceError, 'PersistenceError')
  }
}

/** The operating system: descriptors, processes, locks. */
export class SystemError extends KronError {
  readonly category: ErrorCategory = 'SystemError'
  static {
    named(SystemError, 'SystemError')
  }
}

/** State of a version that is not understood; the host refuses to start. */
export class IncompatibleStateError extends KronError {
  readonly category: ErrorCategory = 'IncompatibleStateError'
  static {
    named(IncompatibleStateError, 'IncompatibleStateError')
  }
}

export class InvalidCronExpressionError extends ConfigurationError {
  readonly expression: string
  /** `second`, `minute`, `hour`, `day`, `month`, `weekday`, or `expression` for the whole. */
  readonly field: string
  readonly reason: string

  constructor(expression: string, field: string, reason: string, value: string, position: number) {
    super(
      'KRON_CRON_INVALID',
      `Invalid cron expression "${expression}": ${field} field ${reason}`,
      {
        expression,
        field,
        reason,
        value,
        position,
      },
    )
    this.expression = expression
    this.field = field
    this.reason = reason
  }

  static {
    named(InvalidCronExpressionError, 'InvalidCronExpressionError')
  }
}
