import { ConfigurationError, type ErrorCode, quote, ValidationError } from '../errors/index.js'

/** A value of the wrong kind, or a name that does not exist. */
export function invalid(
  code: ErrorCode,
  field: string,
  value: unknown,
  allowed: string,
  hint = '',
): ConfigurationError {
  return new ConfigurationError(code, `${field} must be ${allowed}, got ${quote(value)}${hint}`, {
    field,
    value: reported(value),
    allowed,
  })
}

/** A value of the right kind that is out of its range. */
export function outOfRange(
  code: ErrorCode,
  field: string,
  value: unknown,
  allowed: string,
): ValidationError {
  return new ValidationError(code, `${field} must be ${allowed}, got ${quote(value)}`, {
    field,
    value: reported(value),
    allowed,
  })
}

/** Something that threw while it was being read: a getter, a trap of a proxy. */
export function unreadable(field: string, cause: unknown): ConfigurationError {
  const allowed = 'plain data'
  return new ConfigurationError(
    'KRON_FIELD_INVALID',
    `${field} must be ${allowed}, reading it failed`,
    { field, allowed },
    { cause },
  )
}

/** Errors end up in logs as JSON: what is not plain is reported as it is shown. */
export function reported(value: unknown): unknown {
  const plain =
    value === null || ['string', 'number', 'boolean', 'undefined'].includes(typeof value)
  return plain ? value : quote(value)
}
