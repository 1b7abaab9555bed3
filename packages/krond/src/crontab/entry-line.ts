import { ConfigurationError } from '@kron/core'
import type { Span } from '../krontab/index.js'

export type CrontabFormat = 'system' | 'user'

/** A line that runs something, cut into its columns and not yet understood. */
export interface EntryLine {
  /** Five fields, or one word that begins with `@`. */
  readonly times: readonly Span[]
  /** Of the system format. */
  readonly user: Span | null
  readonly command: Span
  /** Whether it begins with a `-`, which tells cronie not to log it. */
  readonly quiet: boolean
}

const word = /[^ \t]+/y
const blanks = /[ \t]*/y

/** Throws a ConfigurationError with a position when a column is missing. */
export function entryOf(line: string, format: CrontabFormat): EntryLine {
  let at = past(blanks, line, 0)
  const quiet = line[at] === '-' && /[\d*@~]/.test(line[at + 1] ?? '')
  if (quiet) at++
  const next = (what: string): Span => {
    const end = past(word, line, at)
    if (end === at) throw missing(what, line.trimEnd().length)
    const span = { start: at, end }
    at = past(blanks, line, end)
    return span
  }
  const count = line[at] === '@' ? 1 : 5
  const times = columns.slice(0, count).map((name) => next(count === 1 ? 'schedule' : name))
  const user = format === 'system' ? next('user') : null
  if (at >= line.length) throw missing('command', line.trimEnd().length)
  return { times, user, command: { start: at, end: line.length }, quiet }
}

const columns = ['minute', 'hour', 'day of month', 'month', 'weekday']

function past(pattern: RegExp, line: string, from: number): number {
  pattern.lastIndex = from
  return from + (pattern.exec(line)?.[0].length ?? 0)
}

function missing(what: string, position: number): ConfigurationError {
  return new ConfigurationError('KRON_CRONTAB_SYNTAX', `the ${what} is missing`, {
    field: what,
    allowed: 'five time fields, a user in system crontabs, and a command',
    position,
    length: 1,
  })
}
