import { formatDuration, formatInstant } from '@kron/core'
import type { LogEvents } from '../daemon/log-events.js'
import type { Outcome } from '../state/index.js'
import type { AuditState } from './audit-state.js'
import type { JobRecord, Plan, Trigger } from './job-record.js'
import { instantOf, type LogLine } from './log-line.js'
import { checkResponsible } from './responsibility-check.js'

/** Verdicts that a period may start after; the other ones are outcomes. */
const startingVerdicts: readonly string[] = ['execute', 'replace']
const idleVerdicts: readonly string[] = ['wait', 'handled', 'suspended']

/** Steps that clocks are adjusted by all the time, and that the daemon does not mention. */
const clockAdjustmentMs = 1000

const isStarting = (verdict: string): boolean => startingVerdicts.includes(verdict)

export function checkTrigger(state: AuditState, record: JobRecord, line: LogLine): void {
  const { findings } = state
  const { period_id, verdict, late_ms } = line.fields as unknown as LogEvents['trigger']
  if (state.stopped) findings.violated('after_stop', line, 'the daemon had stopped')
  const plan = planOf(state, record, line, instantOf(period_id))
  if (plan === null) return
  const { chosen, policy } = plan
  plan.trigger = { time: line.time, verdict, chosen, policy, retried: false }
  checkResponsible(state, record, line, plan)
  if (policy?.suspend === true && verdict !== 'suspended') {
    findings.violated('suspended', line, `verdict ${verdict} for a schedule that is suspended`)
  }
  if (chosen === null) {
    if (isStarting(verdict)) neverChosen(state, line)
    return
  }
  const lateMs = Math.floor(late_ms / 1000) * 1000
  const deadlineMs = policy?.deadline ?? null
  if (isStarting(verdict)) {
    if (late_ms < 0) findings.violated('too_early', line, `${-late_ms} ms before the chosen time`)
    else checkNotBefore(state, line, chosen, null)
    if (deadlineMs !== null && lateMs > deadlineMs) {
      findings.violated('past_deadline', line, lateText(lateMs, deadlineMs))
    }
  } else if (verdict === 'missed' && deadlineMs !== null && lateMs <= deadlineMs) {
    findings.violated('missed_early', line, lateText(lateMs, deadlineMs))
  }
}

const lateText = (lateMs: number, deadlineMs: number): string =>
  `${formatDuration(Math.max(0, lateMs))} late, deadline ${formatDuration(deadlineMs)}`

/** A terminal outcome of a period other than `executed`. */
export function checkOutcome(
  state: AuditState,
  record: JobRecord,
  line: LogLine,
  outcome: Outcome,
): void {
  const nominal = instantOf(line.fields['period_id'])
  if (!checkUnhandled(state, record, line, nominal, outcome)) return
  state.findings.outcomes[outcome]++
  record.handled({ nominal, outcome }, state.life)
  const plan = planOf(state, record, line, nominal)
  if (plan === null) return
  const unschedulable = outcome === 'unschedulable'
  if (unschedulable && plan.chosen !== null) {
    const text = `unschedulable, although ${formatInstant(plan.chosen)} was chosen`
    state.findings.violated('unschedulable', line, text)
  }
  if (!unschedulable && plan.chosen === null) neverChosen(state, line)
  checkPolicy(state, line, plan)
  checkVerdict(state, line, plan, outcome)
}

function checkPolicy({ findings }: AuditState, line: LogLine, { policy, trigger }: Plan): void {
  const applied = trigger?.policy ?? policy
  if (applied === null) return
  // A trigger of its own has said so already.
  if (applied.suspend && trigger === null) {
    findings.violated('suspended', line, 'handled, although the schedule is suspended')
  }
  if (line.event === 'skipped_concurrency' && applied.concurrency !== 'forbid') {
    findings.violated('policy', line, `skipped with concurrency=${applied.concurrency}`)
  }
}

/**
 * A verdict to execute may still end as another outcome when it was put off; one that is none of
 * ours says nothing.
 */
function checkVerdict(state: AuditState, line: LogLine, plan: Plan, outcome: Outcome): void {
  const { trigger } = plan
  if (trigger === null) return
  const { verdict, retried } = trigger
  const contradicts = isStarting(verdict)
    ? !retried
    : idleVerdicts.includes(verdict) || (isOutcome(verdict) && verdict !== outcome)
  if (contradicts) state.findings.violated('verdict', line, `${outcome} after verdict ${verdict}`)
}

const isOutcome = (verdict: string): boolean =>
  verdict === 'skipped' || verdict === 'missed' || verdict === 'unschedulable'

/** What must hold of the period before it may start; its execution is another matter. */
export function checkStart(state: AuditState, line: LogLine, plan: Plan): void {
  const { findings } = state
  const { trigger } = plan
  if (trigger === null) {
    if (state.life > 0) findings.violated('untriggered', line, 'started without a trigger')
  } else if (isOutcome(trigger.verdict) || idleVerdicts.includes(trigger.verdict)) {
    findings.violated('verdict', line, `executed after verdict ${trigger.verdict}`)
  }
  const { chosen } = trigger ?? plan
  if (chosen === null) neverChosen(state, line)
  else checkNotBefore(state, line, chosen, trigger)
  if (plan.policy?.suspend === true && trigger === null) {
    findings.violated('suspended', line, 'started, although the schedule is suspended')
  }
}

/**
 * By the time of the line, which a clock that is set back may put before what came before: after a
 * trigger in time, it is the clock that moved if the log goes on with times before that trigger.
 */
function checkNotBefore(
  { findings }: AuditState,
  line: LogLine,
  chosen: number,
  trigger: Trigger | null,
): void {
  const earlyMs = chosen - line.time
  if (earlyMs < clockAdjustmentMs) return
  const text = `${earlyMs} ms before the chosen time ${formatInstant(chosen)}`
  const provenAt = trigger !== null && trigger.time >= chosen ? trigger.time : null
  findings.suspected('too_early', line, text, provenAt)
}

function neverChosen({ findings }: AuditState, line: LogLine): void {
  findings.violated('unschedulable', line, 'no time was chosen, so it can only be unschedulable')
}

/** False, and a violation, if this period or a later one has its outcome already. */
export function checkUnhandled(
  { findings }: AuditState,
  { last }: JobRecord,
  line: LogLine,
  nominal: number,
  outcome: Outcome,
): boolean {
  if (last === null || nominal > last.nominal) return true
  const was = last.outcome ?? 'handled, its state lost'
  if (nominal < last.nominal) {
    const text = `${outcome} after the later period ${formatInstant(last.nominal)} was ${was}`
    findings.violated('out_of_order', line, text)
  } else if (last.outcome !== outcome) {
    findings.violated('outcome_changed', line, `${outcome}, but it was ${was}`)
  } else if (outcome === 'executed') {
    findings.violated('executed_twice', line, 'executed again')
  } else findings.violated('handled_twice', line, `${outcome} again`)
  return false
}

/** The plan of a period, or null after saying that there is none. */
export function planOf(
  { findings, life }: AuditState,
  record: JobRecord,
  line: LogLine,
  nominal: number,
): Plan | null {
  const plan = record.plan(nominal)
  if (plan !== undefined) return plan
  // The decision may stand in the part of the log that we were not given.
  if (life === 0) findings.unverified++
  else findings.violated('undecided', line, 'no decision of this period before')
  return null
}
