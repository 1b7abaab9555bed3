import type { LogEvents } from '../daemon/log-events.js'
import type { AuditState } from './audit-state.js'
import { checkDecision } from './decision-check.js'
import type { EventName } from './event-shapes.js'
import {
  checkCompleted,
  checkRecovered,
  checkReplaced,
  checkStarted,
  checkTimedOut,
} from './execution-check.js'
import type { JobRecord } from './job-record.js'
import { instantOf, type LogLine } from './log-line.js'
import { checkOutcome, checkTrigger } from './outcome-check.js'
import { checkNotResponsible } from './responsibility-check.js'

type JobEvent = Exclude<
  EventName,
  'start' | 'stop' | 'clock_jump' | 'reload' | 'output' | 'unplanned'
>

type Check = (state: AuditState, record: JobRecord, line: LogLine) => void

/** What each event of a job is checked for. */
export const jobChecks: Readonly<Record<JobEvent, Check>> = {
  decision: checkDecision,
  trigger: checkTrigger,
  started: checkStarted,
  completed: checkCompleted,
  replaced: checkReplaced,
  timed_out: checkTimedOut,
  recovered: checkRecovered,
  reschedule: checkReschedule,
  not_responsible: checkNotResponsible,
  state_lost: loseState,
  missed_deadline: (state, record, line) => checkOutcome(state, record, line, 'missed'),
  skipped_concurrency: (state, record, line) => checkOutcome(state, record, line, 'skipped'),
  skipped_superseded: (state, record, line) => checkOutcome(state, record, line, 'skipped'),
  constraint_unsatisfiable: (state, record, line) =>
    checkOutcome(state, record, line, 'unschedulable'),
}

export const isJobEvent = (event: EventName): event is JobEvent => Object.hasOwn(jobChecks, event)

function checkReschedule(_: AuditState, record: JobRecord, line: LogLine): void {
  const { period_id } = line.fields as unknown as LogEvents['reschedule']
  const trigger = record.plan(instantOf(period_id))?.trigger
  if (trigger !== undefined && trigger !== null) trigger.retried = true
}

/** The period that was current counts as handled from here on, and what ran is not known. */
function loseState(state: AuditState, record: JobRecord, line: LogLine): void {
  record.forgetEarlier(state.life)
  const { period_id } = line.fields as unknown as LogEvents['state_lost']
  if (period_id === null) return
  const nominal = instantOf(period_id)
  if (record.last !== null && nominal <= record.last.nominal) return
  record.handled({ nominal, outcome: null }, state.life)
}
