import { ConfigurationError, quote, ValidationError } from '../errors/index.js'
import { formatDuration } from './format-duration.js'

export const durationForm = 'a duration such as 1h30m, 45s or 500ms'

interface Flaw {
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

const units: readonly (readonly [name: RegExp, milliseconds: number])[] = [
  [/^(?:ms|millis(?:econds?)?)$/, 1],
  [/^(?:s|secs?|seconds?)$/, 1000],
  [/^(?:m|mins?|minutes?)$/, 60_000],
  [/^(?:h|hrs?|hours?)$/, 3_600_000],
  [/^(?:d|days?)$/, 86_400_000],
  [/^(?:w|weeks?)$/, 604_800_000],
]

const longestText = 100
const longestMs = 1e13

/** What people mean by `2 hours`, `90 min` or `1 day, 6 hours`: `2h`, `1h30m`, `30h`; else null. */
export function meantDuration(text: string): string | null {
  if (text.length > longestText || !/^(?:\s*\d+(?:\.\d+)?\s*[a-z]+\s*,?)+$/i.test(text)) return null
  let sum = 0
  for (const [, number, word] of text.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)/gi)) {
    const unit = units.find(([name]) => name.test(word!.toLowerCase()))
    if (unit === undefined) return null
    sum += Number(number) * unit[1]
  }
  return sum <= longestMs ? formatDuration(Math.round(sum)) : null
}
