import { ConfigurationError, quote, ValidationError } from '@kron/core'

/** A metric that is declared or labelled in a way that can't be exposed. */
export function badMetric(
  field: string,
  value: unknown,
  allowed: string,
  hint = '',
): ConfigurationError {
  return new ConfigurationError(
    'KRON_FIELD_INVALID',
    `metric ${field} must be ${allowed}, got ${quote(value)}${hint}`,
    { field, value, allowed },
  )
}

export function notMeasurable(field: string, value: unknown, allowed: string): ValidationError {
  return new ValidationError(
    'KRON_FIELD_INVALID',
    `measured ${field} must be ${allowed}, got ${quote(value)}`,
    { field, value, allowed },
  )
}
