import { ConfigurationError, InvalidCronExpressionError, KronError } from '@kron/core'
import type { Place } from '@kron/preview'
import { compileSchedule, type KrontabJob, type Span } from '../krontab/index.js'
import { accountName } from '../krontab/job-fields.js'
import type { EntryLine } from './crontab-line.js'
import type { Scope } from './crontab-scope.js'
import { scheduleOfEntry } from './schedule-of-entry.js'

/** A line that runs something, with what the lines above it say. */
export interface EntryDraft {
  readonly kind: 'entry'
  readonly text: string
  readonly number: number
  readonly entry: EntryLine
  readonly scope: Scope
  readonly description: string | undefined
  /** Of a file in the user format. */
  readonly user: string | undefined
}

/** Why a line of cron is nothing to krond; null when it is a job. */
export function leftOut(text: string, { times }: EntryLine): string | null {
  const [first] = times as [Span]
  if (text.slice(first.start, first.end) !== '@reboot') return null
  return '@reboot is not a schedule, and krond does not run it: use a service of the system'
}

export function jobOfEntry(
  draft: EntryDraft,
  name: string,
  path: string,
): { job: KrontabJob; notes: readonly string[] } {
  const { text, entry, scope, description } = draft
  const identity = `${path}:${name}`
  const times = entry.times.map((span) => sliced(text, span))
  const user = userOf(draft)
  const { command, stdin } = commandOf(text, entry.command)
  const { timezone, delayMinutes } = scope
  const { job, notes } = placed(entry.times, () => {
    const made = scheduleOfEntry({ times, timezone: timezone ?? 'UTC', delayMinutes, identity })
    return { job: compileSchedule(made.schedule, identity), notes: made.notes }
  })
  const home = scope.env.get('HOME')
  const whole = { start: entry.times[0]!.start, end: entry.times.at(-1)!.end }
  const krontabJob = {
    name,
    identity,
    job,
    command: { kind: 'shell', text: command },
    shell: true,
    env: Object.freeze(Object.fromEntries(scope.env)),
    stdout: { kind: 'inherit' },
    stderr: { kind: 'inherit' },
    ...(user !== undefined && { user }),
    // Cron goes to HOME, also to one that the file sets.
    ...(home?.startsWith('/') && { cwd: home }),
    ...(stdin !== null && { stdin }),
    ...(description !== undefined && { description }),
    schedulePlace: placeIn(draft, path, whole),
    commandPlace: placeIn(draft, path, entry.command),
  } satisfies KrontabJob
  return { job: Object.freeze(krontabJob), notes }
}

function userOf({ text, entry, user }: EntryDraft): string | undefined {
  if (entry.user === null) return user
  const { start, end } = entry.user
  try {
    return accountName('user', text.slice(start, end))
  } catch (error) {
    if (!(error instanceof KronError)) throw error
    const message = `${error.message}; in a system crontab it stands before the command`
    const details = { ...error.details, position: start, length: end - start }
    throw new ConfigurationError('KRON_FIELD_INVALID', message, details)
  }
}

function commandOf(text: string, span: Span): ReturnType<typeof splitAtPercent> {
  const found = splitAtPercent(sliced(text, span))
  if (found.command.trim() !== '') return found
  throw new ConfigurationError('KRON_CRONTAB_SYNTAX', 'the command is empty', {
    field: 'command',
    allowed: 'a command, before the first %',
    position: span.start,
    length: 1,
  })
}

/** Lets errors about the time fields, read with single spaces, point into the line. */
function placed<T>(times: readonly Span[], work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof InvalidCronExpressionError)) throw error
    const { expression, field, reason, details } = error
    const position = inLine(times, details.position ?? 0)
    throw new InvalidCronExpressionError(expression, field, reason, String(details.value), position)
  }
}

function inLine(times: readonly Span[], position: number): number {
  let rest = position
  for (const { start, end } of times) {
    if (rest <= end - start) return start + rest
    rest -= end - start + 1
  }
  return times.at(-1)?.end ?? 0
}

const sliced = (text: string, { start, end }: Span): string => text.slice(start, end)

function placeIn({ text, number }: EntryDraft, file: string, { start, end }: Span): Place {
  return { file, line: number, column: start + 1, length: end - start, source: text }
}

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
