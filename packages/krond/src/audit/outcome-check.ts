import { formatInstant, nextToHandle } from '@kron/core'
import type { Outcome } from '../state/index.js'
import type { JobRecord, Plan, Trigger } from './job-record.js'
import type { AuditState } from './life.js'
import { instantOf, type LogLine, placeOf } from './log-line.js'

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
  const trigger = triggerOf(state, record, line, nominal)
  if (trigger !== null) checkAnnounced(state, line, trigger, outcome)
  settle(state, record, line, nominal, outcome)
}

/** The period has its outcome, on disk; the next one is planned now. */
export function settle(
  { life, obligations }: AuditState,
  record: JobRecord,
  line: LogLine,
  nominal: number,
  outcome: Outcome,
): void {
  const job = record.trigger?.plan?.job ?? null
  if (record.phase === 'triggered') life.underWay--
  record.handled({ nominal, outcome }, placeOf(line))
  record.phase = record.removed ? 'unplanned' : 'settled'
  record.trigger = null
  record.plan = null
  obligations.clear(record)
  if (record.removed || !life.acts) return
  // One that does not tell of every job does not tell that a schedule has come to its end.
  const isOver = job === null || nextToHandle(job, line.time, nominal) === null
  if (life.tellsAll || !isOver) obligations.settled(record, line.time)
}

const eventOf: Readonly<Record<string, string>> = {
  concurrency: 'skipped_concurrency',
  superseded: 'skipped_superseded',
}

function checkAnnounced(
  { findings }: AuditState,
  line: LogLine,
  { verdict, reason, plan }: Trigger,
  outcome: Outcome,
): void {
  const unschedulable = outcome === 'unschedulable'
  if (plan !== null && unschedulable !== (plan.chosen === null)) {
    const text = unschedulable
      ? `unschedulable, although ${formatInstant(plan.chosen!)} was chosen`
      : 'no time was chosen, so it can only be unschedulable'
    findings.violated('unschedulable', line, text)
  }
  if (verdict !== outcome) {
    findings.violated('verdict', line, `${outcome} after verdict ${verdict}`)
    return
  }
  const told = line.fields['reason']
  const isEvent = reason === null || outcome !== 'skipped' || eventOf[reason] === line.event
  if (reason !== null && (told !== reason || !isEvent)) {
    findings.violated('verdict', line, `the reason is ${told}, recomputed ${reason}`)
  }
}

/** The trigger of a period, or null after saying that there is none. */
export function triggerOf(
  { findings }: AuditState,
  record: JobRecord,
  line: LogLine,
  nominal: number,
): Trigger | null {
  const { phase, trigger, plan } = record
  if (phase === 'triggered' && trigger?.nominal === nominal) return trigger
  if (phase === 'unknown' && !record.isWhole) findings.unverified++
  else if (phase === 'planned' && plan?.nominal === nominal) {
    findings.violated('untriggered', line, 'no trigger of this period before')
  } else findings.violated('undecided', line, 'no decision of this period before')
  return null
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

/** What was decided about a period before this line, or null after saying that nothing was. */
export function decidedPlan(
  { findings }: Pick<AuditState, 'findings'>,
  record: JobRecord,
  line: LogLine,
  nominal: number,
): Plan | null {
  const { phase, plan, trigger } = record
  if (phase === 'planned' && plan?.nominal === nominal) return plan
  if (phase === 'triggered' && trigger?.nominal === nominal) return trigger.plan
  if (phase === 'unknown' && !record.isWhole) findings.unverified++
  else findings.violated('undecided', line, 'no decision of this period before')
  return null
}
