import { badArgument } from '@kron/command'
import type { ConfigurationError } from '@kron/core'
import { defaultKrontabFolder } from '../command/folders.js'
import type { Host } from '../command/host.js'

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
