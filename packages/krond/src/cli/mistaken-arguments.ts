import { badArgument } from '@kron/command'
import type { ConfigurationError } from '@kron/core'
import { defaultKrontabFolder } from '../command/folders.js'
import type { Host } from '../command/invocation.js'

/** `-l`, `-u ada -e`, `-ir`: what `crontab` takes, and `krontab` has no options like. */
const habit = /^-[elriu]+$/

/** What to do instead of an option that people know from `crontab`; null for anything else. */
export function cronHabit(args: readonly string[], host: Host): ConfigurationError | null {
  const [first = ''] = args
  if (!habit.test(first)) return null
  const letters = args.filter((word) => habit.test(word)).join('')
  const folder = defaultKrontabFolder(host)
  const wanted = ['e', 'r', 'l', 'u'].find((letter) => letters.includes(letter)) ?? 'e'
  const hints = letters.includes('u') && wanted !== 'u' ? [wanted, 'u'] : [wanted]
  const message = `krontab has no -${wanted}: its jobs are in plain files, in ${folder}`
  return badArgument(`-${wanted}`, message, ...hints.map((each) => `hint: ${advice(each, folder)}`))
}

function advice(letter: string, folder: string): string {
  const after = 'then krontab lint checks them, and krond reload has krond read them'
  if (letter === 'e') return `edit ${folder}/*.krontab, or use krontab add; ${after}`
  if (letter === 'r')
    return `krontab remove <job> removes one job; rm ${folder}/*.krontab removes all`
  if (letter === 'u')
    return 'the jobs of another user: run krontab as that user, or add user= to a job'
  return `cat ${folder}/*.krontab shows the files, krond status the jobs and when they run`
}

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
  const why = 'hint: without quotes the shell replaces the stars with names of files'
  return badArgument('schedule', message, why, `hint: krontab ${command} "0 3 * * *"`)
}

/** As many words as a cron expression has fields, and more of them than the shell was given. */
const isGlob = (args: readonly string[]): boolean =>
  args.slice(1).filter((word) => !word.startsWith('-')).length >= fieldCount

const fieldCount = 5
