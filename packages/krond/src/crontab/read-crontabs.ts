import type { FileSource } from '@kron/command'
import { readText } from '../krontab/index.js'
import type { CrontabFile } from './crontab-file.js'
import { spoolUser } from './crontab-paths.js'
import type { CrontabFormat } from './entry-line.js'
import { guessedFormat, type IsUser } from './guessed-format.js'
import { type CrontabOptions, parseCrontab } from './parse-crontab.js'

export interface ReadCrontabOptions {
  readonly timezone: string
  /** Left out: what the path of each file says, or else its lines. */
  readonly format?: CrontabFormat
  readonly isUser?: IsUser
  /** For files in the user format; left out: whose spool file it is, if it is one. */
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
