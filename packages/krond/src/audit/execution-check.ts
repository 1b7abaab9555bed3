import { formatDuration, formatInstant } from '@kron/core'
import type { LogEvents } from '../daemon/log-events.js'
import type { Execution, JobRecord, Trigger } from './job-record.js'
import type { AuditState } from './life.js'
import { instantOf, type LogLine } from './log-line.js'
import { checkUnhandled, settle, triggerOf } from './outcome-check.js'
import { activeIn } from './trigger-check.js'

/** Steps that clocks are adjusted by all the time, and that the daemon does not mention. */
const clockAdjustmentMs = 1000
/** The work of one start: a gate, a write and the release. */
const startingMs = 10_000
/** Of each start that was under way before it. */
const otherStartMs = 25
/** How long a killed process may take to go. */
const killMs = 5000
/** How far a timer may be off, by jumps of the clock, which are logged to the minute. */
const timerSlackMs = 61_000

export function checkStarted(state: AuditState, record: JobRecord, line: LogLine): void {
  const { findings, life } = state
  const { period_id, pid } = line.fields as unknown as LogEvents['started']
  const nominal = instantOf(period_id)
  let began: Execution['began'] = null
  findings.executions++
  if (checkUnhandled(state, record, line, nominal, 'executed')) {
    findings.outcomes.executed++
    const trigger = triggerOf(state, record, line, nominal)
    if (trigger !== null) {
      const times = [trigger.judgedAt, trigger.place.time, line.time]
      began = [Math.min(...times), Math.max(...times)]
      checkStart(state, record, line, trigger)
    }
    settle(state, record, line, nominal, 'executed')
  }
  if (record.execution(nominal, pid) !== undefined) return
  life.running++
  const { number, jumpedMs } = life
  const about = { nominal, pid, life: number, inherited: false, began, jumpedMs }
  record.began({ ...about, replaced: false, timedOut: false, sure: true })
}

/** What must hold of the period before it may start. */
function checkStart(state: AuditState, record: JobRecord, line: LogLine, trigger: Trigger): void {
  const { findings } = state
  const { plan, verdict } = trigger
  if (verdict !== 'execute') {
    findings.violated('verdict', line, `executed after verdict ${verdict}`)
  }
  if (plan === null) return
  if (plan.chosen === null) {
    findings.violated('unschedulable', line, 'no time was chosen, so it can only be unschedulable')
  } else {
    checkNotBefore(state, line, plan.chosen, trigger)
    checkDeadline(state, line, plan.chosen, trigger)
  }
  checkToldReplaced(state, line, trigger)
  checkAlone(state, record, line, trigger)
}

/**
 * By the time of the line, which a clock that is set back may put before what came before: after a
 * trigger in time, it is the clock that moved if the log goes on with times before that trigger.
 */
function checkNotBefore(
  { findings }: AuditState,
  line: LogLine,
  chosen: number,
  trigger: Trigger,
): void {
  const earlyMs = chosen - line.time
  if (earlyMs < clockAdjustmentMs) return
  const text = `${earlyMs} ms before the chosen time ${formatInstant(chosen)}`
  const provenAt = trigger.place.time >= chosen ? trigger.place.time : null
  findings.suspected('too_early', line, text, 'back', provenAt)
}

/**
 * The deadline is judged with the verdict; what comes behind it is the work of starting, also that
 * of others that are due at the same time, and what is replaced gets the time to the deadline.
 */
function checkDeadline(
  { findings }: AuditState,
  line: LogLine,
  chosen: number,
  { plan, judgedAt, underWay, replaceCount }: Trigger,
): void {
  const deadline = plan?.job?.policy.deadline ?? Number.POSITIVE_INFINITY
  const lateMs = Math.floor(line.time / 1000) * 1000 - chosen
  if (lateMs <= deadline) return
  const replacingMs =
    replaceCount === 0 ? 0 : Math.max(0, chosen + deadline - judgedAt) + replaceCount * killMs
  const workMs = startingMs + underWay * otherStartMs + replacingMs
  if (line.time - judgedAt <= workMs) return
  const late = `${formatDuration(lateMs)} late, deadline ${formatDuration(deadline)}`
  const text = `started ${line.time - judgedAt} ms after its verdict, ${late}`
  findings.suspected('past_deadline', line, text, 'forward')
}

/** Before a start is tried, each execution that it replaces is said to have ended for it. */
export function checkToldReplaced(
  { findings }: Pick<AuditState, 'findings'>,
  line: LogLine,
  { toReplace }: Trigger,
): void {
  for (const other of toReplace) {
    const text = `no line says that ${executionText(other)} was replaced`
    findings.violated('replaced', line, text)
  }
  toReplace.clear()
}

/** Whatever else runs must be allowed beside it, or have been ended for it. */
function checkAlone(
  { findings, life }: AuditState,
  record: JobRecord,
  line: LogLine,
  { plan }: Trigger,
): void {
  const concurrency = plan?.job?.policy.concurrency ?? 'allow'
  if (concurrency === 'allow') return
  for (const other of activeIn(record, life.number)) {
    const how = concurrency === 'forbid' ? 'still runs' : 'was not ended'
    const text = `${executionText(other)} ${how}, with concurrency=${concurrency}`
    findings.violated('concurrency', line, text)
  }
}

const executionText = ({ nominal, pid }: Execution): string =>
  `the execution of ${formatInstant(nominal)} (pid ${pid})`

export function checkCompleted(state: AuditState, record: JobRecord, line: LogLine): void {
  const { findings, life } = state
  const { exit_code, signal, duration_ms } = line.fields as unknown as LogEvents['completed']
  const execution = knownExecution(state, record, line)
  if (execution === null) return
  record.ended(execution)
  if (execution.life === life.number) life.running--
  if (exit_code !== null && signal !== null) {
    const text = `both exit code ${exit_code} and signal ${signal}`
    findings.violated('exit_code', line, text)
  }
  const isInherited = execution.inherited || execution.life !== life.number
  if (exit_code === null && signal === null && !isInherited) {
    findings.violated('exit_code', line, 'neither an exit code nor a signal')
  }
  if (execution.began === null) return
  const [earliest, latest] = execution.began
  const beginning = line.time - duration_ms
  // With a clock that was set back to before its start, it lasted 0 ms.
  const tooLong = duration_ms > 0 && beginning < earliest - clockAdjustmentMs
  const tooShort = beginning > latest + clockAdjustmentMs
  if (!tooLong && !tooShort) return
  const since = new Date(latest).toISOString()
  findings.violated('duration', line, `lasted ${duration_ms} ms, but it started at ${since}`)
}

export function checkTimedOut(state: AuditState, record: JobRecord, line: LogLine): void {
  const { findings } = state
  const { timeout_ms } = line.fields as unknown as LogEvents['timed_out']
  const execution = knownExecution(state, record, line)
  if (execution === null) return
  if (execution.timedOut) findings.violated('unknown_execution', line, 'it timed out before')
  execution.timedOut = true
  if (execution.began === null) return
  const [earliest, latest] = execution.began
  // One that was taken up again may have been over its time by then.
  if (execution.inherited || !execution.sure) return
  const jumpedMs = state.life.jumpedMs - execution.jumpedMs
  const ranMs = line.time - earliest - jumpedMs
  if (ranMs < timeout_ms - timerSlackMs) {
    findings.suspected('duration', line, `timed out after ${ranMs} ms`, 'any')
  } else if (line.time - latest - jumpedMs > timeout_ms + timerSlackMs) {
    findings.suspected('duration', line, `timed out only after ${ranMs} ms`, 'any')
  }
}

/** Its end may be logged before or after the line that says why. */
export function checkReplaced(state: AuditState, record: JobRecord, line: LogLine): void {
  const { findings } = state
  const fields = line.fields as unknown as LogEvents['replaced']
  const trigger = triggerOf(state, record, line, instantOf(fields.period_id))
  const concurrency = trigger?.plan?.job?.policy.concurrency ?? 'replace'
  if (concurrency !== 'replace') {
    const text = `an execution was replaced with concurrency=${concurrency}`
    findings.violated('policy', line, text)
  }
  const nominal = instantOf(fields.replaced_period_id)
  const isReplaced = (other: Execution): boolean =>
    other.nominal === nominal && other.pid === fields.pid
  const execution = record.executions.find(isReplaced)
  if (execution !== undefined) execution.replaced = true
  if (trigger === null || trigger.plan === null) return
  const expected = [...trigger.toReplace].find(isReplaced)
  if (expected !== undefined) trigger.toReplace.delete(expected)
  else if (record.isWhole) {
    const text = `no execution of ${fields.replaced_period_id} (pid ${fields.pid}) ran by then`
    findings.violated('replaced', line, text)
  }
}

/**
 * Between what is written to disk and what is logged there is always an instant in which a crash
 * separates them: a start may be known from its recovery alone, and an end be logged twice.
 */
export function checkRecovered(state: AuditState, record: JobRecord, line: LogLine): void {
  const { findings, life } = state
  const { period_id, pid, alive } = line.fields as unknown as LogEvents['recovered']
  const nominal = instantOf(period_id)
  const known = record.execution(nominal, pid)
  const key = `${period_id} ${pid}`
  if (record.isWhole && (!record.isNew || record.recovered.has(key))) {
    findings.violated('unknown_execution', line, 'it is not one of an earlier life')
    return
  }
  record.recovered.add(key)
  if (known !== undefined) record.ended(known)
  const before = record.lastOfEarlierLife
  const isNews = before === null || nominal > before.nominal
  if (known === undefined && isNews && (record.last === null || nominal > record.last.nominal)) {
    const { unknownSince } = record
    record.handled({ nominal, outcome: 'executed' }, line)
    record.unknownSince = unknownSince
  }
  if (!alive) return
  const isKnowable = life.number > 1 && record.isWhole && !record.lostTrack
  if (known === undefined && !isNews && isKnowable) {
    findings.violated('unknown_execution', line, 'it is alive, but had ended or never begun')
  }
  life.running++
  const began = known?.began ?? null
  const replaced = known?.replaced ?? false
  const { number, jumpedMs } = life
  const about = { nominal, pid, life: number, inherited: true, began, replaced }
  record.began({ ...about, jumpedMs, timedOut: false, sure: true })
}

function knownExecution(state: AuditState, record: JobRecord, line: LogLine): Execution | null {
  const { period_id, pid } = line.fields as unknown as LogEvents['completed']
  const execution = record.execution(instantOf(period_id), pid)
  if (execution !== undefined) return execution
  if (!record.isWhole) state.findings.unverified++
  else state.findings.violated('unknown_execution', line, `no execution with pid ${pid} runs`)
  return null
}
