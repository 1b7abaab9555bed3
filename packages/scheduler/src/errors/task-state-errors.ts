import { named, SchedulerError } from './scheduler-error.js'

/** What is stored of a task can not be read. Thrown as one of its subclasses. */
export class TaskTryDeserializeError<Details = unknown> extends SchedulerError<Details> {
  static {
    named(TaskTryDeserializeError, 'TaskTryDeserializeError')
  }
}

export class TaskMissingFieldError extends TaskTryDeserializeError<{ readonly field: string }> {
  constructor(field: string) {
    super('KRON_TASK_FIELD_MISSING', `Missing required field: ${field}`, { field })
  }
  static {
    named(TaskMissingFieldError, 'TaskMissingFieldError')
  }
}

export interface TaskInvalidTypeDetails {
  readonly field: string
  readonly value: unknown
  readonly expectedType: string
  readonly actualType: string
}

export class TaskInvalidTypeError extends TaskTryDeserializeError<TaskInvalidTypeDetails> {
  constructor(field: string, value: unknown, expectedType: string, actualType: string) {
    super(
      'KRON_TASK_FIELD_TYPE',
      `Invalid type for field '${field}': expected ${expectedType}, got ${actualType}`,
      { field, value, expectedType, actualType },
    )
  }
  static {
    named(TaskInvalidTypeError, 'TaskInvalidTypeError')
  }
}

export interface TaskInvalidValueDetails {
  readonly field: string
  readonly value: unknown
  readonly reason: string
}

export class TaskInvalidValueError extends TaskTryDeserializeError<TaskInvalidValueDetails> {
  constructor(field: string, value: unknown, reason: string) {
    super('KRON_TASK_FIELD_VALUE', `Invalid value for field '${field}': ${reason}`, {
      field,
      value,
      reason,
    })
  }
  static {
    named(TaskInvalidValueError, 'TaskInvalidValueError')
  }
}

export class TaskInvalidStructureError extends TaskTryDeserializeError<{
  readonly value: unknown
}> {
  constructor(message: string, value: unknown) {
    super('KRON_TASK_STRUCTURE', message, { value })
  }
  static {
    named(TaskInvalidStructureError, 'TaskInvalidStructureError')
  }
}
