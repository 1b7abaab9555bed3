import { dirname } from 'node:path'
import type { FileSource } from '@kron/command'
import { readText } from '../krontab/index.js'
import { type CrontabFormat, type EntryLine, entryOf, variableOf } from './crontab-line.js'
import { spoolUser } from './crontab-paths.js'
import { type CrontabFile, type CrontabOptions, parseCrontab } from './parse-crontab.js'

export interface ReadCrontabOptions {
  readonly timezone: string
  /** Left out: what the path of each file says, or else its lines. */
  readonly format?: CrontabFormat
  readonly isUser?: IsUser
  /** For files in the user format; left out: the name of a file in cron's spool. */
  readonly user?: string
}

/** Reads crontabs in order. Never throws: what is wrong with a file is in its `problems`. */
export function readCrontabs(
  paths: readonly string[],
  files: FileSource,
  options: ReadCrontabOptions,
): CrontabFile[] {
  const read: CrontabFile[] = []
  let jobsBefore = 0
  for (const path of paths) {
    const text = readText(path, files)
    const file =
      typeof text === 'string'
        ? parseCrontab(text, path, { ...optionsFor(path, text, options), jobsBefore })
        : { ...text, lines: [], notices: [] }
    jobsBefore += file.jobs.length
    read.push(file)
  }
  return read
}

function optionsFor(path: string, text: string, options: ReadCrontabOptions): CrontabOptions {
  const { isUser = () => false } = options
  const format = options.format ?? guessedFormat(path, text, isUser)
  const user = format === 'user' ? (options.user ?? spoolUser(path)) : undefined
  return { format, timezone: options.timezone, ...(user !== undefined && { user }) }
}

/** Whether a name is that of a user; where nobody knows, nothing is. */
export type IsUser = (name: string) => boolean

/**
 * /etc/crontab and the files in /etc/cron.d name a user in each line, those of cron's spool don't.
 * Elsewhere the lines tell: every one of them has the name of a user and then a command.
 */
export function guessedFormat(path: string, text: string, isUser: IsUser): CrontabFormat {
  if (path === '/etc/crontab' || dirname(path) === '/etc/cron.d') return 'system'
  if (spoolUser(path) !== undefined) return 'user'
  const lines = text.split(/\r?\n/).filter(isEntry)
  return lines.length > 0 && lines.every((line) => namesUser(line, isUser)) ? 'system' : 'user'
}

const isEntry = (line: string): boolean => !/^\s*(?:#|$)/.test(line) && variableOf(line) === null

function namesUser(line: string, isUser: IsUser): boolean {
  let entry: EntryLine
  try {
    entry = entryOf(line, 'system')
  } catch {
    return false
  }
  const { user, command } = entry
  // `backup --full` begins with a program that happens to have the name of a user.
  return isUser(line.slice(user!.start, user!.end)) && line[command.start] !== '-'
}
