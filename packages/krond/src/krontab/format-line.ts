import { ConfigurationError, quote } from '@kron/core'

/** A field of a line as it is meant; `env` may come several times. */
export type LineField = readonly [name: string, value: string]

/** One line of a krontab, without its end. Reading it gives back every value as it is. */
export function formatLine(schedule: string, fields: readonly LineField[]): string {
  return [schedule, ...fields.map(([name, value]) => formatField(name, value))].join(' ')
}

/**
 * `name=value`, in double quotes unless the value needs none. Throws a ConfigurationError for text
 * that no line can hold: control characters, and halves of characters.
 */
export function formatField(name: string, value: string): string {
  const flaw = flawOf(value)
  if (flaw !== null) {
    const message = `${name} has ${flaw}, which a krontab can't hold: ${quote(value)}`
    const allowed = 'text of one line, without control characters'
    throw new ConfigurationError('KRON_FIELD_INVALID', message, { field: name, value, allowed })
  }
  if (name !== 'env') return `${name}=${quotedIfNeeded(value)}`
  const equals = value.indexOf('=') + 1
  return `env=${value.slice(0, equals)}${quotedIfNeeded(value.slice(equals))}`
}

function quotedIfNeeded(value: string): string {
  if (/^[\w./:=,@%+-]*$/.test(value)) return value
  return `"${value.replace(/["\\]/g, '\\$&')}"`
}

function flawOf(value: string): string | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
  const control = /[\u0000-\u0008\u000a-\u001f\u007f]/.exec(value)?.[0]
  if (control === '\n' || control === '\r') return 'a line break'
  if (control !== undefined) return 'a control character'
  return /\p{Cs}/u.test(value) ? 'half a character' : null
}
