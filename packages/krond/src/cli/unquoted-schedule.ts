import { badArgument } from '@kron/command'
import type { ConfigurationError } from '@kron/core'

const commands: ReadonlySet<string> = new Set(['next', 'explain', 'add', 'lint'])

/** `0`, `*`, `*\/5`, `1-5`, `8,20`: the first two fields of most schedules. */
const field = /^(?:\*|\d+(?:-\d+)?)(?:\/\d+)?(?:,\d+(?:-\d+)?)*$/

/**
 * A schedule without quotes, of which the shell has made several arguments, and names of files of
 * the stars; null when the arguments are something else.
 */
export function unquotedSchedule(args: readonly string[]): ConfigurationError | null {
  const [command = '', first = '', second = ''] = args
  if (!commands.has(command) || !field.test(first) || !(field.test(second) || isGlob(args))) {
    return null
  }
  const message = 'the schedule must be one argument, in quotes'
  const why = 'hint: without them the shell puts the names of files where the stars are'
  return badArgument('schedule', message, why, `hint: krontab ${command} "0 3 * * *"`)
}

/** As many words as a cron expression has fields, and more of them than the shell was given. */
const isGlob = (args: readonly string[]): boolean =>
  args.slice(1).filter((word) => !word.startsWith('-')).length >= fieldCount

const fieldCount = 5
