import {
  type Answer,
  badArgument,
  countArgument,
  type Invocation,
  instantArgument,
} from '@kron/command'
import { tzdataVersion, utc, type Zone } from '@kron/core'
import type { NamedJob } from '../named-job.js'
import type { Notation } from '../notation.js'
import { nextText } from './next-text.js'
import { type Stretch, upcoming, upcomingJson } from './upcoming.js'

export interface NextOptions {
  readonly limit?: string
  readonly from?: string
  readonly until?: string
}

export const defaultCount = 10
export const maxPeriods = 100_000

/** What `[--limit N] [--from <time>] [--until <time>]` asks for, in the zone of a job. */
export function nextStretch({ now }: Invocation, options: NextOptions): (zone: Zone) => Stretch {
  const stretchIn = (zone: Zone): Stretch => {
    const from = options.from === undefined ? now : instantArgument('--from', options.from, zone)
    const until =
      options.until === undefined ? null : instantArgument('--until', options.until, zone)
    if (until !== null && until <= from) {
      throw badArgument('--until', '--until must be after --from')
    }
    const usual = until === null ? defaultCount : maxPeriods
    const most =
      options.limit === undefined ? usual : countArgument('--limit', options.limit, maxPeriods)
    return { from, until, most }
  }
  // What is wrong in any zone is said before anybody looks for jobs.
  stretchIn(utc)
  return stretchIn
}

/** The next periods of a job and their chosen times. */
export function nextAnswer(
  named: NamedJob,
  stretchIn: (zone: Zone) => Stretch,
  notation: Notation,
): Answer {
  const { job, schedule, name } = named
  const stretch = stretchIn(job.zone)
  const found = upcoming(job, stretch)
  return {
    json() {
      const { identity, zone } = job
      const place = { timezone: zone.name, tzdata: tzdataVersion }
      return { job: name, identity, schedule, ...place, ...upcomingJson(found, zone) }
    },
    lines: (style) => nextText(named, found, notation, style),
    ...(stretch.until !== null &&
      found.cut && { remark: `stopped after ${stretch.most} periods, before --until` }),
  }
}
