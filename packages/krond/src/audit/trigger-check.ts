import { evaluate, formatDuration, type Verdict } from '@kron/core'
import type { LogEvents } from '../daemon/log-events.js'
import type { AuditRule } from './audit-report.js'
import type { Execution, JobRecord, Plan } from './job-record.js'
import type { AuditState } from './life.js'
import { instantOf, type LogLine, placeOf } from './log-line.js'
import { checkResponsible } from './next-period-check.js'
import { decidedPlan } from './outcome-check.js'

/** A line may be written so long after its verdict: those of many jobs come at once. */
const writingMs = 120_000
/** Where that is all that `late_ms` can be judged by. */
const momentMs = 5000
/** Beyond that the daemon says that the clock jumped. */
const timerSlackMs = 6000
/** Steps that clocks are adjusted by all the time, and that the daemon does not mention. */
const clockAdjustmentMs = 1000

export function checkTrigger(state: AuditState, record: JobRecord, line: LogLine): void {
  const { findings, life, obligations } = state
  const { period_id, verdict, late_ms, judged_at } = line.fields as unknown as LogEvents['trigger']
  const nominal = instantOf(period_id)
  if (life.stopped) findings.violated('after_stop', line, 'the daemon had stopped')
  const plan = triggeredPlan(state, record, line, nominal)
  const base = plan === null ? line.time - late_ms : (plan.chosen ?? plan.windowStart)
  const judgedAt = judged_at === undefined ? base + late_ms : instantOf(judged_at)
  let reason: string | null = null
  const toReplace = new Set<Execution>()
  if (plan !== null) {
    checkLateness(state, record, line, plan, judgedAt)
    checkResponsible(state, record, line, plan)
    reason = checkVerdict(state, record, line, plan, judgedAt)
    if (!plan.queued && judged_at !== undefined) obligations.turned(state, judgedAt, line)
    if (plan.job?.policy.concurrency === 'replace' && verdict === 'execute') {
      for (const other of activeIn(record, life.number)) toReplace.add(other)
    }
  }
  const { underWay } = life
  const place = placeOf(line)
  const about = { place, plan, nominal, verdict, reason, judgedAt, underWay, toReplace }
  if (record.phase !== 'triggered') life.underWay++
  record.trigger = { ...about, replaceCount: toReplace.size, failed: false }
  record.phase = 'triggered'
  if (!life.halted) obligations.triggered(record, line.time)
}

/** Executions that run for sure, and were not ended for another. */
export const activeIn = ({ executions }: JobRecord, life: number): Execution[] =>
  executions.filter((other) => other.life === life && other.sure && !other.replaced)

function checkLateness(
  { findings, life }: AuditState,
  record: JobRecord,
  line: LogLine,
  plan: Plan,
  judgedAt: number,
): void {
  const { late_ms } = line.fields as unknown as LogEvents['trigger']
  const lateMs = judgedAt - (plan.chosen ?? plan.windowStart)
  if (late_ms !== lateMs) {
    findings.violated('lateness', line, `late_ms is ${late_ms}, but it was ${lateMs} ms late`)
  }
  const writtenMs = line.time - judgedAt
  const maxMs = line.fields['judged_at'] === undefined ? momentMs + life.underWay : writingMs
  if (writtenMs < -clockAdjustmentMs || writtenMs > maxMs) {
    const text = `logged ${writtenMs} ms after the time at which it was judged`
    findings.suspected('lateness', line, text, 'any')
  }
  if (plan.queued || record.gaps !== life.gaps) return
  const idleMs = judgedAt - Math.max(plan.due, plan.place.time, life.lastTime)
  const jump = life.lastJump
  if (idleMs <= timerSlackMs || (jump !== null && jump.to + 1000 > judgedAt)) return
  findings.suspected('lateness', line, `${idleMs} ms late, and no line says why`, 'back')
}

/** Asks for the verdict again; answers its reason, or null when that is not certain. */
function checkVerdict(
  state: AuditState,
  record: JobRecord,
  line: LogLine,
  plan: Plan,
  now: number,
): string | null {
  const { job, comparable } = plan
  const { verdict } = line.fields as unknown as LogEvents['trigger']
  if (job === null || !Number.isSafeInteger(now)) return null
  const { nominal: nominalTime, windowStart, chosen: chosenTime, reason } = plan
  const decision = { nominalTime, windowStart, chosenTime, ...(reason !== null && { reason }) }
  const supersededAt = comparable ? job.supersededAt(nominalTime) : null
  const ask = (active: boolean): Verdict =>
    evaluate({ decision, policy: job.policy, now, handledThrough: null, active, supersededAt })
  const isActive = activeIn(record, state.life.number).length > 0
  const answers = [ask(isActive)]
  if (!record.isWhole) answers.push(ask(!isActive))
  const answer = answers.find(({ kind }) => kind === verdict)
  if (answer !== undefined) return 'reason' in answer ? answer.reason : null
  if (!comparable && verdict === 'skipped') return null
  const [expected] = answers as [Verdict]
  const lateMs = chosenTime === null ? 0 : now - chosenTime
  const told = `verdict ${verdict}, ${Math.max(0, lateMs)} ms late`
  const text = `${told}; with deadline ${formatDuration(job.policy.deadline)} it is ${textOf(expected)}`
  state.findings.violated(ruleOf(verdict, expected, plan, lateMs), line, text)
  return null
}

const textOf = (verdict: Verdict): string =>
  'reason' in verdict ? `${verdict.kind} (${verdict.reason})` : verdict.kind

/** Which rule a wrong verdict breaks. */
function ruleOf(told: string, expected: Verdict, plan: Plan, lateMs: number): AuditRule {
  if (expected.kind === 'suspended') return 'suspended'
  if (expected.kind === 'unschedulable' || told === 'unschedulable') return 'unschedulable'
  if (told === 'execute') {
    if (expected.kind === 'wait') return 'too_early'
    if (expected.kind === 'missed') return 'past_deadline'
    if (expected.kind === 'skipped' && expected.reason === 'concurrency') return 'concurrency'
  }
  const { deadline, concurrency } = plan.job!.policy
  if (told === 'missed' && Math.floor(lateMs / 1000) * 1000 <= deadline) return 'missed_early'
  if (told === 'skipped' && concurrency !== 'forbid' && expected.kind === 'execute') return 'policy'
  return 'verdict'
}

/** The plan that a trigger is about, or null after saying that there is none. */
function triggeredPlan(
  state: AuditState,
  record: JobRecord,
  line: LogLine,
  nominal: number,
): Plan | null {
  if (record.phase === 'triggered' && record.trigger?.nominal === nominal) {
    const text = 'triggered again, without having been put off'
    state.findings.violated('retriggered', line, text)
  }
  return decidedPlan(state, record, line, nominal)
}
