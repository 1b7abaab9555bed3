import { formatInstant, type Job } from '@kron/core'
import type { LogEvents } from '../daemon/log-events.js'
import type { JobRecord, Plan } from './job-record.js'
import type { AuditState } from './life.js'
import { type LogLine, placeOf } from './log-line.js'
import { checkFinished, checkLostState } from './next-period-check.js'
import { type DecisionFields, jobOf } from './recomputation.js'

/**
 * Whether there is a reason to plan now: the daemon or the job is new, the period before has its
 * outcome, the clock was set back, or a reload follows.
 */
export function checkPlanning(
  state: AuditState,
  record: JobRecord,
  line: LogLine,
  nominal: number | null,
): void {
  const { findings, life } = state
  if (life.stopped) findings.violated('after_stop', line, 'planned after the daemon had stopped')
  checkRecovered(state, record, line)
  switch (record.phase) {
    case 'settled':
    case 'failing':
      break
    case 'triggered':
      checkCalledOff(state, record, line)
      break
    case 'unknown':
      if (life.stage === 'running' && record.isWhole) change(state, record, line)
      break
    default:
      if (!isAfterJump(state, record, nominal)) change(state, record, line)
  }
  life.plans++
  if (record.active) return
  record.active = true
  record.removed = false
  life.activeJobs++
}

/** Only a reload explains it, which must follow. */
function change({ findings, life }: AuditState, { identity }: JobRecord, line: LogLine): void {
  if (life.changes.has(identity)) findings.violated('replanned', line, 'it was so just now')
  life.changes.set(identity, placeOf(line))
}

/** Whether it is planned because the clock was set back; a plan that stays is only put off. */
function isAfterJump({ life }: AuditState, { plan }: JobRecord, nominal: number | null): boolean {
  if (life.replanning === null) return false
  if (plan === null) return true
  return plan.nominal !== nominal && plan.dueSince < life.replanning.index
}

/** A start that a reload called off, or that failed while one came, leaves no outcome. */
function checkCalledOff({ findings, life }: AuditState, record: JobRecord, line: LogLine): void {
  const { trigger } = record
  life.underWay--
  if (trigger === null || trigger.place.index < life.lastReload) return
  const period = formatInstant(trigger.nominal)
  const text = `planned while the verdict ${trigger.verdict} of ${period} has no outcome`
  findings.violated('unfinished', line, text)
}

/** Before a job is planned for the first time, what ran in an earlier life was looked after. */
function checkRecovered({ findings, life }: AuditState, record: JobRecord, line: LogLine): void {
  if (record.phase !== 'unknown') return
  for (const { nominal, pid, life: of, sure } of record.executions) {
    if (of === life.number || !sure || !record.isWhole) continue
    const execution = `the execution of ${formatInstant(nominal)} (pid ${pid})`
    const text = `${execution} began in an earlier life, and no line says how it ended`
    findings.violated('unaccounted', line, text)
  }
  if (!record.isWhole) return
  record.forgetEarlier(life.number)
  record.lostTrack = false
}

export function planned({ life, obligations }: AuditState, record: JobRecord, plan: Plan): void {
  record.phase = 'planned'
  record.plan = plan
  record.trigger = null
  if (life.acts) obligations.planned(record, plan.place.time)
}

/** A job that has no plan, and why. */
export function checkUnplanned(state: AuditState, record: JobRecord, line: LogLine): void {
  const { findings, life, obligations } = state
  const { reason } = line.fields as unknown as LogEvents['unplanned']
  if (reason === 'removed') {
    checkRemoved(state, record, line)
    return
  }
  checkPlanning(state, record, line, null)
  const job = jobOf(record, line.fields as unknown as DecisionFields)
  if (!(job instanceof Error) && isComparable(state, job)) checkLostState(state, record, job)
  if (job instanceof Error) findings.violated('schedule', line, job.message)
  else if (reason === 'finished') {
    if (isComparable(state, job)) checkFinished(state, record, line, job)
  } else if (!job.policy.suspend) {
    findings.violated('unplanned', line, 'the schedule is not suspended')
  }
  record.phase = 'unplanned'
  record.plan = null
  record.trigger = null
  if (life.acts) obligations.clear(record)
}

const isComparable = ({ life, findings }: AuditState, { spec }: Job): boolean =>
  spec.timezone === 'UTC' || (life.tzdata !== null && !findings.otherTzdata.has(life.tzdata))

/** It is the one that it had; a job that is being started may have got another one meanwhile. */
function checkRemovedSchedule({ findings }: AuditState, record: JobRecord, line: LogLine): void {
  const { schedule, dialect } = line.fields as unknown as LogEvents['unplanned']
  const { compiled, phase } = record
  if (compiled === null || phase === 'triggered' || !record.isWhole) return
  if (compiled.schedule === schedule && compiled.dialect === dialect) return
  findings.violated('schedule', line, `its schedule was ${compiled.schedule}`)
}

function checkRemoved(state: AuditState, record: JobRecord, line: LogLine): void {
  const { findings, life, obligations } = state
  life.removals++
  change(state, record, line)
  if (record.active) life.activeJobs--
  else if (record.isWhole) findings.violated('jobs', line, 'there was no such job')
  checkRemovedSchedule(state, record, line)
  record.active = false
  record.removed = true
  record.passedOver = null
  record.lostState = null
  obligations.clear(record)
  // A start that is under way goes on, or is called off without a word.
  if (record.phase === 'triggered') return
  record.phase = 'unplanned'
  record.plan = null
}
