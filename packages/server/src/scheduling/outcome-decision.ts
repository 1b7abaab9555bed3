import { isPaused, type Plan } from '../domain/index.js'
import { freed, isRequested, withdrawnRun } from './claim-decision.js'
import type { CompiledEndpoint } from './compiled-endpoint.js'
import { rowOf } from './judged-periods.js'
import { occasion, verdictOn } from './period.js'
import type { EndedRun, Outcome, OutcomeDecision, RunOrigin } from './planning.js'
import { replan } from './replan.js'
import { type ReadSteering, responseHints } from './response-hints.js'

/** What becomes of an endpoint whose run ended. */
export function decideOutcome(
  plan: Plan,
  outcome: Outcome,
  origin: RunOrigin,
  compiled: CompiledEndpoint,
  now: number,
  readSteering: ReadSteering,
): OutcomeDecision {
  if (outcome.status === 'released') return released(plan, outcome, origin, compiled, now)
  const { hints, notes } = responseHints(outcome, compiled, plan, now, readSteering)
  const counted = { ...counts(plan, outcome, compiled), ...hints }
  const attention = attentionOf(plan, counted, outcome)
  if (outcome.overlapping) {
    const next: Plan = { ...plan, ...counted }
    const isSteered = 'oneShotHint' in counted || 'intervalHint' in counted
    return { plan: isSteered ? replan(next, compiled, now) : next, ended: [], attention, notes }
  }
  const free = freed(plan, compiled, now)
  const next: Plan = { ...free.plan, ...counted, lastRunAt: outcome.startedAt }
  return { plan: replan(next, compiled, now), ended: free.ended, attention, notes }
}

/** As if it had never been claimed: the same instant is planned, and is not handled. */
function released(
  plan: Plan,
  { scheduledFor: at, overlapping }: Outcome,
  { source, periodId }: RunOrigin,
  compiled: CompiledEndpoint,
  now: number,
): OutcomeDecision {
  const only = (next: Plan, ended: readonly EndedRun[] = []): OutcomeDecision => ({
    plan: next,
    ended,
    attention: null,
    notes: [],
  })
  const free: Plan = overlapping ? plan : { ...plan, held: null }
  if (isRequested(source)) {
    const requested = { at, source }
    if (plan.requested === null) return only({ ...free, requested })
    return only(free, [withdrawnRun(plan, requested, 'cancelled', 'superseded', null)])
  }
  if (overlapping && plan.handledThrough !== null && plan.handledThrough > at) {
    // A later one was claimed meanwhile.
    const period = { ...occasion(at), periodId, supersededAt: plan.handledThrough }
    const row = rowOf(plan, period, verdictOn(period, compiled, plan, now, true), source)
    if (row !== null) return only(free, [row])
  }
  // One before it was released too, and is planned: the schedule brings this one after it.
  if (overlapping && source === 'baseline-cron' && isPlannedBefore(plan, at)) return only(free)
  const unhandled: Plan = { ...free, handledThrough: at - 1 }
  // A pause that began meanwhile would have moved it.
  if (isPaused(plan, now)) return only(replan(unhandled, compiled, now))
  return only({ ...unhandled, nextRunAt: at, source, periodId })
}

/** Whether an earlier period of the schedule waits to be claimed. */
function isPlannedBefore({ source, nextRunAt }: Plan, at: number): boolean {
  return source === 'baseline-cron' && nextRunAt !== null && nextRunAt < at
}

type Counted = Pick<Plan, 'failureCount' | 'lastStatus'>

function counts(plan: Plan, { status }: Outcome, { endpoint }: CompiledEndpoint): Counted {
  const { failureCount } = plan
  if (status === 'failure' || status === 'timeout') {
    return { failureCount: failureCount + 1, lastStatus: status }
  }
  const resets = status === 'success' && endpoint.definition.failureCountPolicy === 'reset'
  return { failureCount: resets ? 0 : failureCount, lastStatus: status }
}

function attentionOf(before: Plan, after: Counted, { status }: Outcome): string | null {
  if (status === 'failure' || status === 'timeout') return 'failure'
  if (status !== 'success') return null
  // A count that is never reset doesn't tell that it went well before.
  const wasFailing = before.lastStatus === 'failure' || before.lastStatus === 'timeout'
  return wasFailing || after.failureCount < before.failureCount ? 'recovery' : null
}
