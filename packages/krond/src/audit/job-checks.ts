import type { LogEvents } from '../daemon/log-events.js'
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
import type { AuditState } from './life.js'
import { instantOf, type LogLine, placeOf } from './log-line.js'
import { checkNotResponsible } from './next-period-check.js'
import { checkOutcome } from './outcome-check.js'
import { checkUnplanned } from './planning-check.js'
import { checkReschedule } from './reschedule-check.js'
import { checkTrigger } from './trigger-check.js'

type JobEvent = Exclude<EventName, 'start' | 'stop' | 'left' | 'clock_jump' | 'reload' | 'output'>

type Check = (state: AuditState, record: JobRecord, line: LogLine) => void

/** What each event of a job is checked for. */
export const jobChecks: Readonly<Record<JobEvent, Check>> = {
  decision: checkDecision,
  unplanned: checkUnplanned,
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

/** Lines in which jobs are planned; those of one occasion stand together. */
export const isPlanning = (event: string, { fields }: LogLine): boolean =>
  event === 'decision' ||
  event === 'unplanned' ||
  event === 'not_responsible' ||
  (event === 'reschedule' && fields['reason'] === 'clock')

/** The period that was current counts as handled from here on, and what ran is not known. */
function loseState({ findings, life }: AuditState, record: JobRecord, line: LogLine): void {
  const { period_id } = line.fields as unknown as LogEvents['state_lost']
  if (record.isWhole && (!record.isNew || record.lostState !== null)) {
    findings.violated('next_period', line, 'its state was taken up before')
  }
  record.forgetEarlier(life.number)
  const lost = period_id === null ? null : instantOf(period_id)
  record.lostState = { place: placeOf(line), nominal: lost, proven: false }
  record.unknownSince = Number.NEGATIVE_INFINITY
  if (period_id === null) return
  const nominal = instantOf(period_id)
  if (record.last !== null && nominal <= record.last.nominal) return
  record.handled({ nominal, outcome: null }, placeOf(line))
}
