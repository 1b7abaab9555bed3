import { tzdataVersion } from '@kron/core'
import { badArgument, countArgument, instantArgument } from '../cli/argument.js'
import { type ExitCode, exitCodes } from '../cli/exit-code.js'
import type { Invocation } from '../cli/invocation.js'
import { selectJob } from '../cli/job-selection.js'
import { nextText } from './next-text.js'
import { upcoming, upcomingJson } from './upcoming.js'

export interface NextOptions {
  readonly count?: string
  readonly from?: string
  readonly until?: string
  readonly identity?: string
}

export const defaultCount = 10
export const mostPeriods = 100_000

/** `krontab next <job> [--count N] [--from <time>] [--until <time>]`. */
export function nextCommand(
  invocation: Invocation,
  argument: string,
  options: NextOptions,
): ExitCode {
  const from = options.from === undefined ? invocation.now : instantArgument('--from', options.from)
  const until = options.until === undefined ? null : instantArgument('--until', options.until)
  if (until !== null && until <= from) throw badArgument('--until', '--until must be after --from')
  const usual = until === null ? defaultCount : mostPeriods
  const most =
    options.count === undefined ? usual : countArgument('--count', options.count, mostPeriods)
  const { job, schedule, entry } = selectJob(invocation, argument, options.identity)
  const found = upcoming(job, { from, until, most })
  if (invocation.format === 'json') {
    const { identity, zone } = job
    const about = { job: entry?.name ?? null, identity, schedule }
    const place = { timezone: zone.name, tzdata: tzdataVersion }
    invocation.printJson({ ...about, ...place, ...upcomingJson(found, zone) })
    return exitCodes.success
  }
  const title = entry === undefined ? schedule : `${entry.name}  ${schedule}`
  invocation.printLines(nextText(job, title, found, invocation.style))
  if (until !== null && found.cut) {
    invocation.complain(`stopped after ${most} periods, before --until`)
  }
  return exitCodes.success
}
