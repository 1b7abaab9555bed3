import { formatInstant } from '@kron/core'
import type { LogEvents } from '../daemon/log-events.js'
import type { AuditState } from './audit-state.js'
import type { JobRecord, Plan } from './job-record.js'
import { instantOf, type LogLine, placeOf } from './log-line.js'

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
