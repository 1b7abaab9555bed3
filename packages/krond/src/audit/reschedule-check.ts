import { dueTime, executableUntil, formatInstant, type Job } from '@kron/core'
import { type Backoff, backoffMs } from '@kron/runtime'
import type { LogEvents } from '../daemon/log-events.js'
import { checkToldReplaced } from './execution-check.js'
import type { JobRecord, Plan } from './job-record.js'
import type { AuditState } from './life.js'
import { instantOf, type LogLine } from './log-line.js'
import { decidedPlan } from './outcome-check.js'

/**
 * As the contract has it, 1 s, 2 s, 4 s, ... and at most a minute: were the figures those of the
 * daemon, nobody would notice that it keeps to others.
 */
const attemptBackoff: Backoff = { firstMs: 1000, maxMs: 60_000 }
/** A line may be written so long after its event. */
const momentMs = 10_000
/** Times are logged to the second. */
const secondMs = 1000

type Reschedule = LogEvents['reschedule']

/** What is put off was due or is planned again; it must come back when its reason says. */
export function checkReschedule(state: AuditState, record: JobRecord, line: LogLine): void {
  const { findings, life, obligations } = state
  const { period_id, due, reason } = line.fields as unknown as Reschedule
  const plan = decidedPlan(state, record, line, instantOf(period_id))
  if (plan === null) {
    // The line that planned it is not there, so nothing more is known of it.
    if (record.phase === 'triggered') life.underWay--
    record.phase = 'unknown'
    record.trigger = null
    obligations.clear(record)
    return
  }
  if (plan.job !== null && plan.comparable) {
    const flaw = flawOf(state, record, line, plan, plan.job)
    if (flaw !== null) findings.violated('rescheduled', line, flaw)
  }
  if (record.phase === 'triggered') life.underWay--
  plan.due = instantOf(due) + (reason === 'retry' ? secondMs - 1 : 0)
  plan.dueSince = line.index
  plan.queued = reason === 'queue'
  record.phase = 'planned'
  record.plan = plan
  record.trigger = null
  // What was passed over on the way was so before as well.
  if (reason === 'clock') record.passUnproven = null
  if (life.acts) obligations.planned(record, line.time)
}

function flawOf(
  { life }: AuditState,
  record: JobRecord,
  line: LogLine,
  plan: Plan,
  job: Job,
): string | null {
  const { due: text, reason } = line.fields as unknown as Reschedule
  const due = instantOf(text)
  const period = {
    nominalTime: plan.nominal,
    windowStart: plan.windowStart,
    chosenTime: plan.chosen,
  }
  const { phase, trigger } = record
  switch (reason) {
    case 'retry': {
      if (phase !== 'triggered' || trigger?.verdict !== 'execute')
        return 'nothing was to be started'
      if (!trigger.failed) return 'no error says that it could not be started'
      const last = executableUntil(job, period)
      if (due > last) return `the last time it can start is ${formatInstant(last)}`
      const expected = Math.min(line.time + backoffMs(attemptBackoff, ++plan.failures), last)
      const isExpected = Math.abs(due - expected) <= momentMs
      return isExpected ? null : `it is tried again at ${formatInstant(expected)}`
    }
    case 'queue': {
      if (phase !== 'planned') return 'it has its verdict'
      if (plan.queued) return 'it waits for a place already'
      if (line.time < plan.due - momentMs) return 'it was not due'
      const last = executableUntil(job, period)
      return due === last ? null : `the last time it can start is ${formatInstant(last)}`
    }
    case 'clock': {
      if (life.replanning === null) return 'the clock did not jump'
      if (plan.dueSince > life.replanning.index) return 'it was planned again before'
      if (phase !== 'planned') return 'it has its verdict'
      const expected = dueTime(job, period)
      return due === expected ? null : `it is due at ${formatInstant(expected)}`
    }
    default:
      return null
  }
}

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
