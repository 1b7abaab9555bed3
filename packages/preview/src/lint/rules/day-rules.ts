import type { Job } from '@kron/core'
import { monthNames, valuesOf } from '../../cron-text/index.js'
import { formatLocal, wallDate, wallTime } from '../../local-time/index.js'
import { warningAt } from '../finding.js'
import { placeOf, type Rule, type Subject } from '../subject.js'

export const eitherDay: Rule = (subject) => {
  const day = subject.fields?.[2]
  const weekday = subject.fields?.[4]
  if (day?.restricted !== true || weekday?.restricted !== true) return []
  const { only } = subject.notation
  const stepNote = [day, weekday].some(({ text }) => text.startsWith('*/'))
    ? ' (a step such as */2 counts as restricted)'
    : ''
  return [
    warningAt(
      subject.cronPlace(2, 4),
      'KRON_WARN_EITHER_DAY',
      `both day ${day.text} and weekday ${weekday.text} are restricted: it runs on days that ` +
        `match either of them, not both${stepNote}`,
      `for both, put * in one of the fields and its days into ${only('dow=...')} or ` +
        only('dom=...'),
    ),
  ]
}

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

const daysInMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

export const rareDay: Rule = (subject, now) => {
  const [, , day, month, weekday] = subject.fields ?? []
  if (day === undefined || month === undefined || weekday?.restricted !== false) return []
  const earliest = valuesOf(day)[0]!
  if (earliest <= 28) return []
  const months = valuesOf(month)
  const without = months.filter((value) => daysInMonth[value - 1]! < earliest)
  const onlyInLeapYears = earliest === 29 && months.includes(2)
  if (without.length === 0 && !onlyInLeapYears) return []
  const missing = without.map((value) => monthNames[value - 1]!)
  if (onlyInLeapYears) missing.push('February in most years')
  const { job } = subject
  const next = job.nextPeriod(now)
  const when = next === null ? '' : `, next ${wallDate(wallTime(next, job.zone))}`
  return [
    warningAt(
      subject.cronPlace(2),
      'KRON_WARN_RARE_DAY',
      `day ${day.text} does not exist in ${missing.join(', ')}: it does not run there${when}`,
      'use a day from 1 to 28 if it should run in every month',
    ),
  ]
}

/** Whether a clause of `@only` or `@avoid` looks at the day, and not at the time of day. */
export function isAboutDays(clause: string): boolean {
  return /^(?:dow|dom|months|date|dates)=/.test(clause)
}
