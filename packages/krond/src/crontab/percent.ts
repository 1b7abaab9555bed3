/** The command of a crontab line and what it reads. */
export interface CommandAndInput {
  readonly command: string
  /** null when the line has no `%` that begins input, or nothing after it. */
  readonly stdin: string | null
}

/**
 * Cron ends the command at the first `%` without a backslash before it. What follows is the input,
 * with each further such `%` a newline, and a newline at its end. `\%` is a `%` in both.
 */
export function splitAtPercent(text: string): CommandAndInput {
  let command = ''
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!
    if (character === '%') return { command, stdin: inputOf(text.slice(at + 1)) }
    if (character === '\\' && at + 1 < text.length) {
      const next = text[++at]!
      command += next === '%' ? '%' : `\\${next}`
    } else command += character
  }
  return { command, stdin: null }
}

/** Unlike in the command, a backslash after a backslash escapes again. */
function inputOf(text: string): string | null {
  if (text === '') return null
  const input = text.replace(/\\%|%/g, (found) => (found === '%' ? '\n' : '%'))
  return input.endsWith('\n') ? input : `${input}\n`
}
