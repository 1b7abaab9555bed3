import { ConfigurationError, quote, ValidationError } from '../errors/index.js'
import { meantDuration } from './meant-duration.js'

export const durationForm = 'a duration such as 1h30m, 45s or 500ms'

export interface Flaw {
  readonly reason: string
  readonly position: number
  readonly length: number
}

export function invalidDuration(text: string, field: string, flaw: Flaw): ConfigurationError {
  const meant = meantDuration(text)
  const hint = meant === null ? '' : `; did you mean ${meant}?`
  return new ConfigurationError(
    'KRON_DURATION_INVALID',
    `${field} must be ${durationForm}, got ${quote(text)}: ${flaw.reason}${hint}`,
    { field, value: text, allowed: durationForm, ...flaw },
  )
}

export function negativeDuration(value: string | number, field: string): ConfigurationError {
  return new ConfigurationError(
    'KRON_DURATION_NEGATIVE',
    `${field} must not be negative, got ${quote(value)}`,
    {
      field,
      value,
      allowed: `0s or more, ${durationForm}`,
      ...(typeof value === 'string' && { position: 0, length: value.length }),
    },
  )
}

export function tooLongDuration(value: string | number, field: string): ValidationError {
  return new ValidationError(
    'KRON_DURATION_TOO_LONG',
    `${field} must be at most 2^63-1 ns (about 292 years), got ${quote(value)}`,
    {
      field,
      value,
      allowed: 'at most 2562047h47m16.854775807s',
      ...(typeof value === 'string' && { position: 0, length: value.length }),
    },
  )
}

/** Neither text nor a usable number. Objects are not shown: reading them could run their code. */
export function notADuration(value: unknown, field: string, allowed: string): ConfigurationError {
  const shown = value === null || typeof value === 'number' ? `${value}` : `a ${typeof value}`
  return new ConfigurationError(
    'KRON_DURATION_INVALID',
    `${field} must be ${allowed}, got ${shown}`,
    { field, value: typeof value === 'number' ? value : shown, allowed },
  )
}
