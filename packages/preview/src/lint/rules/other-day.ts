import type { Job } from '@kron/core'
import { formatLocal, wallDate, wallTime } from '../../local-time/index.js'
import { isAboutDays } from '../day-clause.js'
import { warningAt } from '../finding.js'
import { placeOf, type Rule, type Subject } from '../subject.js'

const periodsLookedAt = 60

export const otherDay: Rule = (subject, now) => {
  const { job } = subject
  const { constraints, window } = job.spec
  if (window.duration === 0 || !namesDays(subject)) return []
  // A clause about days is evaluated on the chosen time, so it already holds the job to its days.
  if ([...constraints.only, ...constraints.avoid].some((text) => isAboutDays(text))) return []
  const found = firstCrossing(job, now)
  if (found === null) return []
  const start = formatLocal(found.nominal, job.zone)
  return [
    warningAt(
      placeOf(subject, 'window'),
      'KRON_WARN_OTHER_DAY',
      `the window reaches into the day ${found.side}: the period of ${start} can start as ` +
        `${found.side === 'after' ? 'late' : 'early'} as ${formatLocal(found.edge, job.zone)}`,
      'move the schedule or shorten the window so that it does not cross midnight',
    ),
  ]
}

function namesDays({ fields, job }: Subject): boolean {
  if (fields === null) return !/^@(?:hourly|daily|midnight)$/i.test(job.spec.schedule)
  return fields[2]!.restricted || fields[4]!.restricted
}

interface Crossing {
  readonly nominal: number
  readonly edge: number
  readonly side: 'before' | 'after'
}

function firstCrossing(job: Job, now: number): Crossing | null {
  const dateOf = (instant: number) => wallDate(wallTime(instant, job.zone))
  let nominal = job.nextPeriod(now)
  for (let i = 0; i < periodsLookedAt && nominal !== null; i++) {
    const { windowStart, windowEnd } = job.decide(nominal)
    const date = dateOf(nominal)
    if (dateOf(windowEnd) !== date) return { nominal, edge: windowEnd, side: 'after' }
    if (dateOf(windowStart) !== date) return { nominal, edge: windowStart, side: 'before' }
    nominal = job.nextPeriod(nominal)
  }
  return null
}
