import { formatInstant, type Job, nextToHandle } from '@kron/core'
import type { LogEvents } from '../daemon/log-events.js'
import type { JobRecord, PassedOver, Plan } from './job-record.js'
import type { AuditState } from './life.js'
import { instantOf, type LogLine, placeOf } from './log-line.js'

/** What is planned a moment before it is logged may be so by the clock of that moment. */
const momentMs = 10_000
/** From when on a period may have been handled in the last lines of a life, which were lost. */
const lostTailMs = 6000
/** Periods that are passed over in one step; more than that are not counted again. */
const maxPassed = 10_000

/**
 * The period that is planned is the one that comes next: the current one, or the one behind what
 * was handled. Periods in between are passed over only if they were due before krond answered for
 * the job, and the first of them is said to be; or if they were handled in lines that a kill lost.
 */
export function checkNextPeriod(
  { findings }: AuditState,
  record: JobRecord,
  line: LogLine,
  job: Job,
  nominal: number,
): void {
  checkLostState({ findings }, record, job)
  const handledThrough = record.last?.nominal ?? null
  if (record.passUnproven === null && nextToHandle(job, line.time, handledThrough) === nominal) {
    return
  }
  const passed = record.passUnproven
  record.passUnproven = null
  // Both lines are of one step, which may have begun in the minute before this line.
  const expected = expectedPeriods(record, passed?.place ?? line, job)
  if (passed !== null) {
    checkPassed({ findings }, passed, expected, job)
    if (nominal <= passed.nominal) {
      findings.violated('next_period', passed.place, 'it was planned after all')
      return
    }
  } else if (expected.includes(nominal)) return
  const [first = null] = expected
  if (first !== null && nominal > first) {
    if (passedOverTo(record, line, job, expected) === nominal) return
    if (mayBeLost(record, line, job, nominal)) return
  }
  const text =
    first === null ? 'no period is left' : `the period that comes next is ${formatInstant(first)}`
  findings.violated('next_period', line, text)
}

/** None is left, as an `unplanned` line says. */
export function checkFinished(
  { findings }: Pick<AuditState, 'findings'>,
  record: JobRecord,
  line: LogLine,
  job: Job,
): void {
  const [first = null] = expectedPeriods(record, line, job)
  const passed = record.passUnproven
  record.passUnproven = null
  if (first === null || passed?.nominal === first) return
  if (record.unknownSince !== null && job.nextPeriod(first) === null) return
  findings.violated('unplanned', line, `the period that comes next is ${formatInstant(first)}`)
}

/** One, but for a moment in which another one became the current one. */
function expectedPeriods(
  { last }: JobRecord,
  { time }: Pick<LogLine, 'time'>,
  job: Job,
  handledThrough = last?.nominal ?? null,
): number[] {
  const all = [time, time - momentMs].map((now) => nextToHandle(job, now, handledThrough))
  return all.filter(
    (nominal, index) => nominal !== null && all.indexOf(nominal) === index,
  ) as number[]
}

function checkPassed(
  { findings }: Pick<AuditState, 'findings'>,
  { place, nominal, due, since }: PassedOver,
  expected: readonly number[],
  job: Job,
): void {
  const { chosenTime, windowStart } = job.decide(nominal)
  const recomputed = chosenTime ?? windowStart
  if (due !== recomputed) {
    const text = `due at ${formatInstant(due)}, recomputed ${formatInstant(recomputed)}`
    findings.violated('not_responsible', place, text)
  }
  if (!expected.includes(nominal)) {
    findings.violated('not_responsible', place, 'it was not the period that came next')
  }
  if (since > place.time + momentMs) {
    findings.violated('not_responsible', place, 'responsible_since is still to come')
  }
}

/** The first period that krond answers for, if those from the expected one on were passed over. */
function passedOverTo(
  { passedOver, responsibleSince }: JobRecord,
  { time }: LogLine,
  job: Job,
  expected: readonly number[],
): number | null {
  if (passedOver === null || !expected.includes(passedOver.nominal)) return null
  const since = responsibleSince ?? time
  let nominal = job.nextPeriod(passedOver.nominal)
  for (let passed = 0; nominal !== null && passed < maxPassed; passed++) {
    const { chosenTime, windowStart } = job.decide(nominal)
    if ((chosenTime ?? windowStart) >= since) return nominal
    nominal = job.nextPeriod(nominal)
  }
  return null
}

/** Whether what came before was due where the log may have lost its lines. */
function mayBeLost(record: JobRecord, line: LogLine, job: Job, nominal: number): boolean {
  const { unknownSince, openBefore } = record
  if (unknownSince === null) return false
  if (openBefore !== null && expectedPeriods(record, line, job, openBefore).includes(nominal)) {
    return true
  }
  const before = job.cron.previous(nominal - 1, job.zone)
  if (before === null) return false
  const { chosenTime, windowStart } = job.decide(before)
  return (chosenTime ?? windowStart) >= unknownSince - lostTailMs
}

/** Of a state that was lost, the current period or a later one counts as handled. */
export function checkLostState(
  { findings }: Pick<AuditState, 'findings'>,
  { lostState }: JobRecord,
  job: Job,
): void {
  if (lostState === null || lostState.proven) return
  lostState.proven = true
  const { nominal, place } = lostState
  const current = job.currentPeriod(place.time - momentMs)
  const isPeriod = nominal === null || job.nextPeriod(nominal - 1) === nominal
  if (isPeriod && (current === null || (nominal !== null && nominal >= current))) return
  findings.violated('next_period', place, 'it is not the period that was current')
}

/** A period is said to be nobody's business: it must have been due before, and stays unhandled. */
export function checkNotResponsible(
  { findings, life }: AuditState,
  record: JobRecord,
  line: LogLine,
): void {
  const { period_id, due, responsible_since } = line.fields as unknown as NotResponsible
  const nominal = instantOf(period_id)
  const since = instantOf(responsible_since)
  if (life.stopped) findings.violated('after_stop', line, 'planned after the daemon had stopped')
  if (instantOf(due) >= since) {
    findings.violated('not_responsible', line, `due at ${due}, not before ${responsible_since}`)
  }
  if (record.last !== null && nominal <= record.last.nominal) {
    const handled = formatInstant(record.last.nominal)
    findings.violated('not_responsible', line, `it is handled, as all are through ${handled}`)
  }
  if (record.passedOver?.nominal === nominal) {
    findings.violated('not_responsible', line, 'it was said before')
  }
  const passed = { place: placeOf(line), nominal, due: instantOf(due), since }
  record.passedOver = passed
  record.passUnproven = passed
  life.passing = record
  record.responsibleSince = since
}

type NotResponsible = LogEvents['not_responsible']

/** The line that follows about the job is the plan of another period. */
export function unplannedAfter(
  { findings }: Pick<AuditState, 'findings'>,
  record: JobRecord,
): void {
  const { passUnproven } = record
  if (passUnproven === null) return
  record.passUnproven = null
  findings.violated('unplanned', passUnproven.place, 'no decision about another period follows')
}

/** Unless the clock was set back: then what was later is not any more. */
export function checkResponsible(
  { findings }: AuditState,
  { responsibleSince }: JobRecord,
  line: LogLine,
  { chosen, job }: Plan,
): void {
  if (responsibleSince === null || chosen === null || job?.policy.first !== 'wait') return
  if (chosen >= responsibleSince) return
  const times = `${formatInstant(chosen)}, before ${formatInstant(responsibleSince)}`
  findings.suspected('not_responsible', line, `triggered for ${times}`, 'back')
}
