import { named, SchedulerError } from './scheduler-error.js'

export interface FieldParseDetails {
  readonly fieldValue: string
  readonly fieldName: string
}

/** One of the five fields can not be read; the cause of an InvalidCronExpressionError. */
export class FieldParseError extends SchedulerError<FieldParseDetails> {
  constructor(fieldValue: string, fieldName: string, reason: string) {
    super('KRON_CRON_FIELD', `${fieldName} field ${reason}`, { fieldValue, fieldName })
  }
  static {
    named(FieldParseError, 'FieldParseError')
  }
}

export interface ExpressionDetails {
  readonly expression: string
  readonly field: string
  readonly reason: string
}

const invalid = ({ expression, field, reason }: ExpressionDetails): string =>
  `Invalid cron expression "${expression}": ${field} field ${reason}`

/** What the parser of expressions throws; `cause` is a FieldParseError where one field is wrong. */
export class InvalidCronExpressionError extends SchedulerError<ExpressionDetails> {
  constructor(details: ExpressionDetails, options?: ErrorOptions) {
    super('KRON_CRON_INVALID', invalid(details), details, options)
  }
  static {
    named(InvalidCronExpressionError, 'InvalidCronExpressionError')
  }
}

export interface CronExpressionInvalidDetails extends ExpressionDetails {
  readonly cause: InvalidCronExpressionError
}

/** What `initialize` throws for an expression that the parser refused. */
export class CronExpressionInvalidError extends SchedulerError<CronExpressionInvalidDetails> {
  constructor(cause: InvalidCronExpressionError) {
    super(
      'KRON_REGISTRATION_CRON_INVALID',
      invalid(cause.details),
      { ...cause.details, cause },
      { cause },
    )
  }
  static {
    named(CronExpressionInvalidError, 'CronExpressionInvalidError')
  }
}

export interface CronCalculationDetails {
  readonly expression: string
  readonly currentTime: string
  readonly cause: Error
}

export class CronCalculationError extends SchedulerError<CronCalculationDetails> {
  constructor(expression: string, currentTime: Date, cause: Error) {
    super(
      'KRON_CRON_NEVER',
      `Failed to calculate next occurrence: ${cause.message}`,
      { expression, currentTime: currentTime.toISOString(), cause },
      { cause },
    )
  }
  static {
    named(CronCalculationError, 'CronCalculationError')
  }
}
