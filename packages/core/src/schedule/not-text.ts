import { ConfigurationError } from '../errors/index.js'

/** The error for anything but a string in place of a schedule text. */
export function notText(value: unknown): ConfigurationError {
  const allowed = 'a schedule as text such as 0 2 * * * @win(after,3h)'
  const shown = value === null ? 'null' : `a value of type ${typeof value}`
  return new ConfigurationError(
    'KRON_SCHEDULE_SYNTAX',
    `schedule must be ${allowed}, got ${shown}`,
    { field: 'schedule', value: shown, allowed, position: 0, length: 1, text: '' },
  )
}
