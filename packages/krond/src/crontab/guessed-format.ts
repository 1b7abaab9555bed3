import { dirname } from 'node:path'
import { spoolUser } from './crontab-paths.js'
import { type CrontabFormat, type EntryLine, entryOf } from './entry-line.js'
import { variableOf } from './environment-line.js'

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
