import { attemptBackoff } from '../daemon/backoff.js'
import type { AuditState } from './audit-state.js'
import { checkToldReplaced } from './execution-check.js'
import type { JobRecord } from './job-record.js'
import { instantOf, type LogLine } from './log-line.js'

/** A start that fails is tried again. */
const startOperations: readonly unknown[] = ['start_process', 'execute', 'replace']
/** After these the daemon plans and triggers nothing any more. */
const fatalOperations: readonly unknown[] = ['write_state', 'handle_period', 'loop', 'run']

/** What an error explains: a start that is put off, a job without a plan, the end of the daemon. */
export function noteError(
  { findings, life, obligations }: AuditState,
  record: JobRecord | null,
  line: LogLine,
): void {
  const { operation, period_id } = line.fields
  if (fatalOperations.includes(operation)) {
    life.halted = true
    obligations.end()
  }
  if (record === null) return
  const { trigger, plan } = record
  if (startOperations.includes(operation) && trigger?.nominal === instantOf(period_id)) {
    if (trigger.failed) findings.violated('rescheduled', line, 'it had failed before')
    trigger.failed = true
    // What is replaced has ended by the time that a start is tried.
    if (operation !== 'replace') checkToldReplaced({ findings }, line, trigger)
  } else if (operation === 'decide') {
    if (!record.active) life.activeJobs++
    record.active = true
    record.phase = 'failing'
    record.plan = null
    obligations.clear(record)
  } else if (operation === 'evaluate' && record.phase === 'planned' && plan !== null) {
    plan.due = line.time + attemptBackoff.maxMs
    plan.dueSince = line.index
    if (life.acts) obligations.planned(record, line.time)
  }
}
