import { formatInstant } from '@kron/core'
import type { LogEvents } from '../daemon/log-events.js'
import type { AuditState } from './audit-state.js'
import type { Execution, JobRecord, Plan } from './job-record.js'
import { instantOf, type LogLine } from './log-line.js'
import { checkStart, checkUnhandled, planOf } from './outcome-check.js'

export function checkStarted(state: AuditState, record: JobRecord, line: LogLine): void {
  const { period_id, pid } = line.fields as unknown as LogEvents['started']
  const nominal = instantOf(period_id)
  const execution = { nominal, pid, life: state.life, inherited: false, replaced: false }
  state.findings.executions++
  const unhandled = checkUnhandled(state, record, line, nominal, 'executed')
  if (unhandled) {
    state.findings.outcomes.executed++
    record.handled({ nominal, outcome: 'executed' }, state.life)
    const plan = planOf(state, record, line, nominal)
    if (plan !== null) {
      checkStart(state, line, plan)
      checkAlone(state, record, line, plan)
    }
  }
  if (record.execution(nominal, pid) === undefined) record.began(execution)
}

/** Whatever else runs must be allowed beside it, or have been ended for it. */
function checkAlone(state: AuditState, record: JobRecord, line: LogLine, plan: Plan): void {
  const policy = (plan.trigger ?? plan).policy
  if (policy === null || policy.concurrency === 'allow') return
  for (const other of record.executions) {
    if (other.replaced) continue
    if (other.life !== state.life) {
      const text = `${executionText(other)} began in an earlier life, and no line says how it ended`
      state.findings.violated('unaccounted', line, text)
      record.ended(other)
      continue
    }
    const how = policy.concurrency === 'forbid' ? 'still runs' : 'was not ended'
    const text = `${executionText(other)} ${how}, with concurrency=${policy.concurrency}`
    state.findings.violated('concurrency', line, text)
  }
}

const executionText = ({ nominal, pid }: Execution): string =>
  `the execution of ${formatInstant(nominal)} (pid ${pid})`

export function checkCompleted(state: AuditState, record: JobRecord, line: LogLine): void {
  const { exit_code, signal } = line.fields as unknown as LogEvents['completed']
  const execution = knownExecution(state, record, line)
  if (execution === null) return
  record.ended(execution)
  if (exit_code !== null && signal !== null) {
    const text = `both exit code ${exit_code} and signal ${signal}`
    state.findings.violated('exit_code', line, text)
  }
  if (exit_code === null && signal === null && !execution.inherited) {
    state.findings.violated('exit_code', line, 'neither an exit code nor a signal')
  }
}

export function checkTimedOut(state: AuditState, record: JobRecord, line: LogLine): void {
  knownExecution(state, record, line)
}

/** Its end may be logged before or after the line that says why. */
export function checkReplaced(state: AuditState, record: JobRecord, line: LogLine): void {
  const fields = line.fields as unknown as LogEvents['replaced']
  const plan = planOf(state, record, line, instantOf(fields.period_id))
  const policy = (plan?.trigger ?? plan)?.policy ?? null
  if (policy !== null && policy.concurrency !== 'replace') {
    const text = `an execution was replaced with concurrency=${policy.concurrency}`
    state.findings.violated('policy', line, text)
  }
  const execution = record.execution(instantOf(fields.replaced_period_id), fields.pid)
  if (execution !== undefined) execution.replaced = true
}

/**
 * Between what is written to disk and what is logged there is always an instant in which a crash
 * separates them: a start may be known from its recovery alone, and an end be told twice.
 */
export function checkRecovered(state: AuditState, record: JobRecord, line: LogLine): void {
  const { period_id, pid, alive } = line.fields as unknown as LogEvents['recovered']
  const nominal = instantOf(period_id)
  record.enter(state.life)
  const known = record.execution(nominal, pid)
  if (known !== undefined) record.ended(known)
  const before = record.lastOfEarlierLife
  const isNews = before === null || nominal > before.nominal
  if (known === undefined && isNews && (record.last === null || nominal > record.last.nominal)) {
    record.handled({ nominal, outcome: 'executed' }, state.life)
  }
  if (!alive) return
  if (known === undefined && !isNews && state.life > 1) {
    state.findings.violated('unknown_execution', line, 'it is alive, but had ended or never begun')
  }
  const { life } = state
  const replaced = known?.replaced ?? false
  record.began({ nominal, pid, life, inherited: true, replaced })
}

function knownExecution(state: AuditState, record: JobRecord, line: LogLine): Execution | null {
  const { period_id, pid } = line.fields as unknown as LogEvents['completed']
  const execution = record.execution(instantOf(period_id), pid)
  if (execution !== undefined) return execution
  if (state.life === 0) state.findings.unverified++
  else state.findings.violated('unknown_execution', line, `no execution with pid ${pid} runs`)
  return null
}
