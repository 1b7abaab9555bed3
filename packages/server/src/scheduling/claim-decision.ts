import {
  type EndedStatus,
  giverOf,
  type HeldRun,
  instantText,
  isPaused,
  isQuotaHold,
  monthEnd,
  type Plan,
  type QuotaHold,
  type RequestedRun,
  type RunContext,
  type RunError,
  type RunSource,
} from '../domain/index.js'
import type { CompiledEndpoint } from './compiled-endpoint.js'
import {
  judgePeriods,
  newestPeriod,
  occasion,
  type Period,
  plannedPeriod,
  scheduledPeriod,
} from './periods.js'
import type { ClaimDecision, DuePlan, EndedRun, StartedRun } from './planning.js'
import { replan, replanSince } from './replan.js'
import { leaseGraceMs, wakeOf } from './wake.js'

/** A run that takes its worker down with it is not handed to every worker there is. */
const maxDeliveries = 5

/** A run as it is about to start, before it has a lease. */
interface Candidate {
  readonly at: number
  readonly periodId: string
  readonly source: RunSource
  readonly replaces: StartedRun['replaces']
}

/**
 * What becomes of an endpoint that woke. It may wake ahead of its time by the look-ahead; then a
 * planned run is claimed early, and everything else is left alone (null).
 */
export function decideClaim(
  due: DuePlan,
  compiled: CompiledEndpoint,
  now: number,
): ClaimDecision | null {
  const { plan } = due
  const hold = holdOf(due)
  if (plan.held !== null) return afterLoss(plan, plan.held, hold, compiled, now)
  if (isRequestedFirst(plan)) {
    return hold === null ? requestedRun(plan, compiled, now) : refusedRun(plan, hold, compiled, now)
  }
  if (plan.suspended || plan.nextRunAt === null) return only(replan(plan, compiled, now))
  const wake = wakeOf({ ...plan, requested: null })
  if (wake.kind === 'waiting') {
    return wake.at! > now ? null : only(replanSince(plan, compiled, wake.at!, now))
  }
  if (wake.kind === 'exact' && wake.at! > now) return null
  if (hold !== null) return only(overQuota(plan, hold, now))
  return plannedRun(plan, plan.nextRunAt, compiled, now)
}

function only(plan: Plan, ended: readonly EndedRun[] = []): ClaimDecision {
  return { plan, start: null, ended, replaceOthers: false }
}

/** The tenant's own first: about that one somebody can do something without the operator. */
function holdOf({ runsLeft, systemRunsLeft = null }: DuePlan): QuotaHold | null {
  if (runsLeft !== null && runsLeft <= 0) return 'quota'
  return systemRunsLeft !== null && systemRunsLeft <= 0 ? 'system-quota' : null
}

function overQuota(plan: Plan, source: QuotaHold, now: number): Plan {
  const nextRunAt = monthEnd(now)
  return { ...plan, nextRunAt, source, periodId: instantText(nextRunAt) }
}

/** The earlier of both goes first, so that neither is taken for handled by the other. */
function isRequestedFirst({ requested, nextRunAt, suspended, source }: Plan): boolean {
  if (requested === null) return false
  if (suspended || nextRunAt === null || source === 'paused' || isQuotaHold(source)) return true
  return requested.at < nextRunAt
}

function requestedRun(plan: Plan, compiled: CompiledEndpoint, now: number): ClaimDecision {
  const { at, source } = plan.requested!
  const candidate: Candidate = { at, periodId: instantText(at), source, replaces: 'pending' }
  return started({ ...plan, requested: null }, candidate, compiled, now, [])
}

/** There was room when it was asked for, and others have used it up since. */
function refusedRun(
  plan: Plan,
  hold: QuotaHold,
  compiled: CompiledEndpoint,
  now: number,
): ClaimDecision {
  const requested = plan.requested!
  const reason = hold === 'quota' ? 'quota' : 'system_quota'
  const row = withdrawnRun(plan, requested, 'skipped', reason, null)
  const next: Plan = { ...plan, requested: null }
  // It woke for the request. Unless a plan is there to wake it again, one has to be made.
  return only(next.nextRunAt === null ? replan(next, compiled, now) : next, [row])
}

/** Of several periods that have come the core says which one runs, if any. */
function plannedRun(
  plan: Plan,
  nextRunAt: number,
  compiled: CompiledEndpoint,
  now: number,
): ClaimDecision {
  const source = plan.source as RunSource
  const first = firstPeriod(plan, nextRunAt, compiled)
  // Nothing holds the endpoint; beside runs that need not hold it, others may be under way.
  const active = compiled.overlap !== 'held'
  const judged = judgePeriods(plan, compiled, first, { source, now, active })
  const { ended, start, handledThrough, notResponsible } = judged
  if (start === null) {
    const oneShotHint = consumesOneShot(source) ? null : plan.oneShotHint
    const next = replan({ ...plan, handledThrough, oneShotHint }, compiled, now)
    return { ...only(next, ended), notResponsible }
  }
  const { at, periodId } = start
  const candidate: Candidate = { at, periodId, source, replaces: 'nothing' }
  // The plan of a held endpoint is the run that holds it: its end asks for the period's id.
  return started({ ...plan, nextRunAt: at, periodId }, candidate, compiled, now, ended)
}

function firstPeriod(plan: Plan, at: number, { job }: CompiledEndpoint): Period {
  const { source, periodId } = plan
  if (source === 'baseline-cron' && job !== null) return plannedPeriod(job, at, periodId)
  return { ...occasion(at), ...(periodId !== null && { periodId }) }
}

function started(
  plan: Plan,
  candidate: Candidate,
  compiled: CompiledEndpoint,
  now: number,
  ended: readonly EndedRun[],
): ClaimDecision {
  const { maxExecutionTimeMs } = compiled.endpoint.definition
  const from = Math.max(now, candidate.at)
  const start: StartedRun = {
    endpointId: plan.endpointId,
    scheduledFor: candidate.at,
    periodId: candidate.periodId,
    source: candidate.source,
    fence: plan.fence + 1,
    leaseUntil: from + maxExecutionTimeMs,
    attempts: 0,
    context: contextOf(plan, candidate.source, now),
    overlapping: compiled.overlap !== 'held',
    replaces: candidate.replaces,
  }
  const claimed: Plan = {
    ...plan,
    fence: start.fence,
    handledThrough: Math.max(plan.handledThrough ?? candidate.at, candidate.at),
    oneShotHint: consumesOneShot(candidate.source) ? null : plan.oneShotHint,
  }
  if (!start.overlapping) {
    const { scheduledFor, source, leaseUntil } = start
    const held: HeldRun = { scheduledFor, source, leaseUntil, deliveries: 1 }
    return { plan: { ...claimed, held }, start, ended, replaceOthers: false }
  }
  const next: Plan = { ...claimed, lastRunAt: from }
  return {
    // A period that is due already would be lost by a plan that is made from now on.
    plan: isDueBeside(next, candidate.source, from) ? next : replan(next, compiled, from),
    start,
    ended,
    replaceOthers: compiled.overlap === 'instead',
  }
}

/** Whether a period waits to be claimed after a run that was asked for. */
function isDueBeside({ source, nextRunAt, suspended }: Plan, by: RunSource, now: number): boolean {
  if (!isRequested(by) || suspended) return false
  return source === 'baseline-cron' && nextRunAt !== null && nextRunAt <= now
}

/** A clamp hides which hint it was applied to; an expired hint may go as well. */
function consumesOneShot(source: RunSource): boolean {
  return source === 'ai-oneshot' || source === 'clamped-min' || source === 'clamped-max'
}

function contextOf(plan: Plan, source: RunSource, now: number): RunContext {
  const { failureCount, intervalHint, oneShotHint } = plan
  return {
    failureCount,
    ...(intervalHint !== null &&
      intervalHint.expiresAt > now && {
        intervalHint: {
          intervalMs: intervalHint.intervalMs,
          reason: intervalHint.reason,
          giver: giverOf(intervalHint),
        },
      }),
    ...(oneShotHint !== null &&
      oneShotHint.expiresAt > now && {
        oneShotHint: {
          nextRunAt: oneShotHint.nextRunAt,
          reason: oneShotHint.reason,
          giver: giverOf(oneShotHint),
        },
      }),
    ...(source === 'clamped-min' && { violations: ['minIntervalMs'] }),
    ...(source === 'clamped-max' && { violations: ['maxIntervalMs'] }),
  }
}

/**
 * The lease ran out and nobody said how the run ended. It may have been sent: the period is not
 * sent again, unless the endpoint asks for that.
 */
function afterLoss(
  plan: Plan,
  held: HeldRun,
  hold: QuotaHold | null,
  compiled: CompiledEndpoint,
  now: number,
): ClaimDecision | null {
  if (held.leaseUntil + leaseGraceMs > now) return null
  const { onWorkerLoss, maxExecutionTimeMs } = compiled.endpoint.definition
  const { scheduledFor, source, deliveries } = held
  const fence = plan.fence + 1
  const periodId = heldPeriodId(plan, held)
  const isActive = !plan.suspended && !isPaused(plan, now)
  // It is counted again, as it is sent again: over the quota it stays lost.
  const mayRun = isActive && hold === null
  if (onWorkerLoss === 'redeliver' && mayRun && deliveries < maxDeliveries) {
    const leaseUntil = now + maxExecutionTimeMs
    const start: StartedRun = {
      endpointId: plan.endpointId,
      scheduledFor,
      periodId,
      source,
      fence,
      leaseUntil,
      attempts: deliveries,
      context: contextOf(plan, source, now),
      overlapping: false,
      replaces: 'running',
    }
    const again: Plan = {
      ...plan,
      fence,
      held: { ...held, leaseUntil, deliveries: deliveries + 1 },
    }
    return { plan: again, start, ended: [], replaceOthers: false }
  }
  const free = freed(plan, compiled, now)
  const next = { ...free.plan, fence, lastRunAt: scheduledFor, lastStatus: 'cancelled' }
  return only(replan(next, compiled, now), [lostRun(plan, held), ...free.ended])
}

export function lostRun(plan: Plan, held: HeldRun): EndedRun {
  return {
    endpointId: plan.endpointId,
    scheduledFor: held.scheduledFor,
    periodId: heldPeriodId(plan, held),
    source: held.source,
    status: 'cancelled',
    reason: 'worker_lost',
    error: { code: 'worker_lost', message: 'the worker was lost before it recorded a result' },
    wasRunning: true,
  }
}

/** A run that was asked for and never taken. */
export function withdrawnRun(
  plan: Plan,
  { at, source }: RequestedRun,
  status: EndedStatus,
  reason: string,
  error: RunError | null,
): EndedRun {
  return {
    endpointId: plan.endpointId,
    scheduledFor: at,
    periodId: instantText(at),
    source,
    status,
    reason,
    error,
    wasRunning: true,
  }
}

function heldPeriodId(plan: Plan, held: HeldRun): string {
  const isPlanned = held.scheduledFor === plan.nextRunAt && !isRequested(held.source)
  return isPlanned && plan.periodId !== null ? plan.periodId : instantText(held.scheduledFor)
}

export function isRequested(source: RunSource): source is RequestedRun['source'] {
  return source === 'manual' || source === 'replay'
}

/** The plan without the run that held it, and rows for the periods that came meanwhile. */
export function freed(
  plan: Plan,
  compiled: CompiledEndpoint,
  now: number,
): { readonly plan: Plan; readonly ended: readonly EndedRun[] } {
  const held = plan.held!
  const free: Plan = { ...plan, held: null }
  const { job } = compiled
  // While a run that was asked for holds the endpoint, its plan is for the period that comes next.
  const isOfCron = plan.source === 'baseline-cron' && plan.nextRunAt !== null
  if (!isOfCron || job === null) return { plan: free, ended: [] }
  const at = Math.max(held.scheduledFor, plan.handledThrough ?? held.scheduledFor)
  const through: Plan = { ...free, handledThrough: at }
  const next = job.nextSchedulable(newestPeriod(job, at) ?? at)
  const first = next === null ? null : scheduledPeriod(job, next)
  if (first === null || first.at > now) return { plan: free, ended: [] }
  const judging = { source: 'baseline-cron', now, active: true, asOfTheirTime: true } as const
  const { ended, handledThrough } = judgePeriods(through, compiled, first, judging)
  return { plan: ended.length === 0 ? free : { ...free, handledThrough }, ended }
}
