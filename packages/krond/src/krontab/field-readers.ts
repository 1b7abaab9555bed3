import {
  ConfigurationError,
  formatDuration,
  parseDuration,
  quote,
  quotePath,
  suggestion,
  ValidationError,
} from '@kron/core'
import { krontabLimits } from './limits.js'

export function refuse(
  field: string,
  text: string,
  allowed: string,
  hint = '',
): ConfigurationError {
  const shown = text.includes('/') ? quotePath(text) : quote(text)
  return new ConfigurationError(
    'KRON_FIELD_INVALID',
    `${field} must be ${allowed}, got ${shown}${hint}`,
    { field, value: text, allowed },
  )
}

export function jobName(text: string): string {
  if (/^[a-z0-9/-]+$/.test(text)) return text
  const position = Math.max(0, text.search(/[^a-z0-9/-]/))
  const allowed = 'lower-case letters, digits, - and /'
  throw new ConfigurationError(
    'KRON_NAME_INVALID',
    text === '' ? 'name must not be empty' : `name must be of ${allowed}, got ${quote(text)}`,
    { field: 'name', value: text, allowed, ...(text !== '' && { position, length: 1 }) },
  )
}

export function oneOf(field: string, text: string, names: readonly string[]): string {
  if (names.includes(text)) return text
  throw refuse(field, text, names.join(' or '), suggestion(text, names))
}

/** A name as the system's user and group files have it, or a number. */
export function accountName(field: string, text: string): string {
  if (/^(?:[A-Za-z_][A-Za-z0-9_.-]*\$?|\d{1,10})$/.test(text)) return text
  throw refuse(field, text, `the name or number of a ${field}`)
}

export function absolutePath(field: string, text: string): string {
  if (text.startsWith('/')) return text
  throw refuse(field, text, 'an absolute path')
}

export function environmentEntry(text: string, env: Map<string, string>): void {
  const match = /^([A-Za-z_]\w*)=/.exec(text)
  if (match === null) throw refuse('env', text, 'a variable such as LANG=C')
  const name = match[1]!
  if (env.has(name)) {
    throw new ConfigurationError('KRON_FIELD_REPEATED', `env sets ${name} a second time`, {
      field: 'env',
      value: name,
      allowed: 'each variable once',
      position: 0,
      length: name.length,
    })
  }
  env.set(name, text.slice(match[0].length))
}

export function octalMask(text: string): number {
  if (/^0?[0-7]{1,3}$/.test(text)) return Number.parseInt(text, 8)
  throw refuse('umask', text, 'octal digits from 0 to 0777 such as 0027')
}

export function positiveDuration(field: string, text: string): number {
  const duration = parseDuration(text, field)
  if (duration > 0 && duration <= krontabLimits.timeoutMs) return duration
  const allowed = `above 0s and at most ${formatDuration(krontabLimits.timeoutMs)}`
  throw new ValidationError(
    'KRON_FIELD_INVALID',
    `${field} must be ${allowed}, got ${quote(text)}`,
    { field, value: text, allowed },
  )
}
