import { ConfigurationError } from './categories.js'
import { named } from './kron-error.js'

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
