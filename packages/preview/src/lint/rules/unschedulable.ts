import { compileJob, type Job, maxAttempts } from '@kron/core'
import { grouped, percent } from '@kron/runtime'
import { formatLocal } from '../../local-time/index.js'
import { type Finding, warningAt } from '../finding.js'
import { placeOf, type Rule, type Subject } from '../subject.js'
import { isAboutDays } from './day-rules.js'

/** How far ahead periods are looked at: a year of daily ones, a day of those of each minute. */
const maxPeriods = 1_500
const horizonMs = 400 * 86_400_000

/** From this probability on, a lost period is worth a warning. */
const worthAWarning = 0.001

export const unschedulable: Rule = (subject, now) => {
  const { constraints } = subject.job.spec
  if (constraints.only.length + constraints.avoid.length === 0) return []
  const survey = surveyOf(subject.job, now)
  if (survey.periods === 0) return []
  if (subject.job.nextSchedulable(now) === null) return [noneLeft(subject)]
  return [
    ...impossibleByTime(subject, now),
    ...(survey.worst !== null && survey.worst.lost >= worthAWarning
      ? [likelyLost(subject, survey.worst)]
      : []),
  ]
}

interface Survey {
  readonly periods: number
  /** Periods without a single allowed second, and the first of them. */
  readonly impossible: number
  readonly firstImpossible: number | null
  /** The period with some allowed seconds that is lost most likely. */
  readonly worst: { readonly nominal: number; readonly share: number; readonly lost: number } | null
}

function surveyOf(job: Job, now: number): Survey {
  let periods = 0
  let impossible = 0
  let firstImpossible: number | null = null
  let worst: Survey['worst'] = null
  let nominal = job.nextPeriod(now)
  while (nominal !== null && nominal < now + horizonMs && periods < maxPeriods) {
    periods++
    const share = job.acceptance(nominal)
    if (share === 0) {
      impossible++
      firstImpossible ??= nominal
    } else {
      const lost = job.unschedulableProbability(nominal)
      if (worst === null || lost > worst.lost) worst = { nominal, share, lost }
    }
    nominal = job.nextPeriod(nominal)
  }
  return { periods, impossible, firstImpossible, worst }
}

/** What never could run is refused; this could, and its dates have passed. */
function noneLeft(subject: Subject): Finding {
  return warningAt(
    placeOf(subject, 'only', 'avoid'),
    'KRON_WARN_NEVER_ALLOWED',
    `${nothingAllowed(subject)} in any period from now on: the job has run for the last time`,
    'name dates that are still to come, or remove the job',
  )
}

function impossibleByTime(subject: Subject, now: number): Finding[] {
  const { spec } = subject.job
  // A clause that takes whole days out is a wish; one that takes all hours out, an accident.
  const aboutTime = (clauses: readonly string[]) => clauses.filter((text) => !isAboutDays(text))
  const only = aboutTime(spec.constraints.only)
  const avoid = aboutTime(spec.constraints.avoid)
  if (only.length + avoid.length === 0) return []
  const { periods, impossible, firstImpossible } = surveyOf(
    compileJob({ ...spec, constraints: { only, avoid } }),
    now,
  )
  if (firstImpossible === null) return []
  const next = formatLocal(firstImpossible, subject.job.zone)
  return [
    warningAt(
      placeOf(subject, only.length > 0 ? 'only' : 'avoid'),
      'KRON_WARN_UNSCHEDULABLE',
      `${nothingAllowed(subject)} in ${grouped(impossible)} of the next ${grouped(periods)} ` +
        `periods, next ${next}`,
      'say the hours in the cron expression, widen the window, or drop the clause',
    ),
  ]
}

function likelyLost(subject: Subject, worst: NonNullable<Survey['worst']>): Finding {
  const when = formatLocal(worst.nominal, subject.job.zone)
  const { exact, exactIn } = subject.notation
  const example = exactIn(subject.job.spec.distribution.name)
  return warningAt(
    placeOf(subject, 'only', 'avoid'),
    'KRON_WARN_UNSCHEDULABLE',
    `only ${percent(worst.share)} of the draws are allowed, so that a period is lost with ` +
      `probability (1 - ${Number(worst.share.toPrecision(3))})^${maxAttempts} = ` +
      `${percent(worst.lost)} (as on ${when})`,
    `add ${exact}, as in ${example}, widen the window, or drop the clause`,
  )
}

function nothingAllowed({ job }: Subject): string {
  const { duration } = job.spec.window
  return duration === 0 ? 'the time is not allowed' : 'no second of the window is allowed'
}
