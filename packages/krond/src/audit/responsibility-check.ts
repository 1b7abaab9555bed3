import { formatInstant } from '@kron/core'
import type { LogEvents } from '../daemon/log-events.js'
import type { AuditState } from './audit-state.js'
import type { JobRecord, Plan } from './job-record.js'
import { instantOf, type LogLine } from './log-line.js'

/** A period is said to be nobody's business: it must have been due before, and stays unhandled. */
export function checkNotResponsible(
  { findings }: AuditState,
  record: JobRecord,
  line: LogLine,
): void {
  const { period_id, due, responsible_since } = line.fields as unknown as NotResponsible
  const nominal = instantOf(period_id)
  const since = instantOf(responsible_since)
  if (instantOf(due) >= since) {
    findings.violated('not_responsible', line, `due at ${due}, not before ${responsible_since}`)
  }
  if (record.last !== null && nominal <= record.last.nominal) {
    const handled = formatInstant(record.last.nominal)
    findings.violated('not_responsible', line, `it is handled, as all are through ${handled}`)
  }
  record.undecided(nominal)
  record.responsibleSince = since
}

type NotResponsible = LogEvents['not_responsible']

/** Unless the clock was set back: then what was later is not any more. */
export function checkResponsible(
  { findings }: AuditState,
  { responsibleSince }: JobRecord,
  line: LogLine,
  { chosen, policy }: Plan,
): void {
  if (responsibleSince === null || chosen === null || policy?.first !== 'wait') return
  if (chosen >= responsibleSince) return
  const times = `${formatInstant(chosen)}, before ${formatInstant(responsibleSince)}`
  findings.suspected('not_responsible', line, `triggered for ${times}`, null)
}
