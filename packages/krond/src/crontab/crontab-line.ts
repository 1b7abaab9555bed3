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

/** A `NAME=value` line, taken apart as cron does it. */
export interface Variable {
  readonly name: string
  readonly value: string
}

const assignment =
  /^\s*(?:"(?<double>[^"=]*)"|'(?<single>[^'=]*)'|(?<bare>[^\s="'][^\s=]*))\s*=\s*(?<rest>.*)$/

/**
 * Quotes around the name or the value are taken off, white space around both is not part of them,
 * and nothing is expanded. null when the line is something else, such as a schedule.
 */
export function variableOf(line: string): Variable | null {
  const groups = assignment.exec(line)?.groups
  if (groups === undefined) return null
  const name = groups['double'] ?? groups['single'] ?? groups['bare'] ?? ''
  const value = unquoted(groups['rest'] ?? '')
  return name === '' || value === null ? null : { name, value }
}

function unquoted(text: string): string | null {
  const quote = text[0]
  if (quote !== '"' && quote !== "'") return text.trimEnd()
  const end = text.indexOf(quote, 1)
  if (end < 0) return null
  return text.slice(end + 1).trim() === '' ? text.slice(1, end) : null
}

const longestDescription = 200

/** The comment right above a line, if it is one line of prose and not a line switched off. */
export function descriptionAbove(lines: readonly string[], index: number): string | undefined {
  const comment = textOf(lines[index - 1])
  if (comment === '' || textOf(lines[index - 2]) !== '') return undefined
  if (comment.length > longestDescription || !/\p{L}{2}/u.test(comment)) return undefined
  return isSwitchedOff(comment) || /\p{Cc}/u.test(comment) ? undefined : comment
}

const textOf = (line = ''): string => /^\s*#+\s*(.*?)[\s#]*$/.exec(line)?.[1] ?? ''

function isSwitchedOff(comment: string): boolean {
  if (variableOf(comment) !== null) return true
  if (!/^[-\d*@~]/.test(comment)) return false
  try {
    return entryOf(comment, 'user').times.length > 0
  } catch {
    return false
  }
}
