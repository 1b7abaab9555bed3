import { ConfigurationError, ValidationError } from '@kron/core'

/** What krontab files may not exceed; beyond each of them is a problem of the file. */
export const krontabLimits = Object.freeze({
  fileBytes: 1_048_576,
  lineCharacters: 65_536,
  /** Of all files together. */
  jobs: 100_000,
  /** Reported for one file; the rest is only counted. */
  problems: 1_000,
  timeoutMs: 366 * 86_400_000,
})

/** The lines of a text, without their ends and without a byte order mark. */
export function linesOf(text: string): string[] {
  const withoutMark = text.startsWith('\ufeff') ? text.slice(1) : text
  return withoutMark.split(/\r?\n/)
}

/** What no line of a file that runs commands may have: control characters, or no end. */
export function lineFlaw(source: string): ConfigurationError | ValidationError | null {
  if (source.length > krontabLimits.lineCharacters) {
    const allowed = `at most ${krontabLimits.lineCharacters} characters`
    return new ValidationError(
      'KRON_FILE_LIMIT',
      `a line must have ${allowed}, this one has ${source.length}`,
      { field: 'line', allowed, position: krontabLimits.lineCharacters },
    )
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
  const position = source.search(/[\u0000-\u0008\u000b-\u001f\u007f]/)
  if (position < 0) return null
  const code = source.charCodeAt(position).toString(16).padStart(4, '0')
  return new ConfigurationError('KRON_KRONTAB_SYNTAX', `the control character U+${code}`, {
    field: 'line',
    allowed: 'text without control characters',
    position,
  })
}

/** `MAILTO=ada` and the like, which crontabs have on lines of their own. */
export function variableFlaw(source: string): ConfigurationError | null {
  const [, blank = '', name] = /^([ \t]*)([A-Z_][A-Z0-9_]*)[ \t]*=/.exec(source) ?? []
  if (name === undefined) return null
  const message = `a krontab has no variables of its own; give a job env=${name}=...`
  return new ConfigurationError('KRON_KRONTAB_SYNTAX', message, {
    field: 'line',
    value: name,
    allowed: 'a schedule and fields',
    position: blank.length,
    length: name.length,
  })
}
