import {
  type EndpointPlan,
  type Job,
  nextChosenPeriod,
  planNextRun,
  type Responsibility,
  responsibilityFor,
} from '@kron/core'
import { type Endpoint, instantText, isPaused, isPlanners, type Plan } from '../domain/index.js'
import type { CompiledEndpoint } from './compiled-endpoint.js'
import { plannedPeriod, scheduledPeriod, verdictOn } from './periods.js'

/** The plan of an endpoint that was just made. */
export function newPlan(endpoint: Endpoint, compiled: CompiledEndpoint, now: number): Plan {
  const blank: Plan = {
    endpointId: endpoint.id,
    tenantId: endpoint.tenantId,
    version: endpoint.version,
    nextRunAt: null,
    source: endpoint.definition.baseline.cron === null ? 'baseline-interval' : 'baseline-cron',
    periodId: null,
    requested: null,
    held: null,
    fence: 0,
    handledThrough: null,
    responsibility: null,
    lastRunAt: null,
    lastStatus: null,
    failureCount: 0,
    pausedUntil: null,
    pauseReason: null,
    intervalHint: null,
    oneShotHint: null,
    suspended: false,
    exact: false,
    restoredAt: null,
    createdAt: endpoint.createdAt,
  }
  return replan(blank, compiled, now)
}

/** The same plan while the job is not active, or the endpoint is archived: nothing is planned. */
export function suspendedPlan(plan: Plan): Plan {
  return { ...plan, suspended: true, nextRunAt: null, periodId: null }
}

/**
 * The plan that the Governor makes of what is known now. While a run holds the endpoint only the
 * version changes: the end of the run makes the next plan.
 */
export function replan(plan: Plan, compiled: CompiledEndpoint, now: number): Plan {
  const { version } = compiled.endpoint
  const isFirstSight = hasNewTiming(plan, compiled)
  const responsibility = answering(plan, compiled, now)
  const exact = compiled.overlap === 'instead'
  plan = { ...plan, ...heededHints(plan, compiled), responsibility, version, exact }
  if (plan.held !== null) return plan
  if (plan.suspended || compiled.policy.suspend) return { ...plan, nextRunAt: null, periodId: null }
  if (isStillDue(plan, compiled, now)) return plan
  const current = isFirstSight ? currentPeriod(plan, compiled, now) : null
  if (current !== null && isStillDue(current, compiled, now)) return current
  // A clock that was set back must not bring a handled instant up again.
  const from = Math.max(now, plan.handledThrough ?? now)
  plan = withoutExpired(plan, from)
  const next = planNextRun(governed(plan, compiled), from)
  if (next.nextRunAt === null) {
    return { ...plan, nextRunAt: null, source: next.source, periodId: null }
  }
  const nextRunAt = Math.max(next.nextRunAt, (plan.handledThrough ?? -Infinity) + 1)
  const isOfCron = next.source === 'baseline-cron'
  const nominal = isOfCron ? nominalOf(compiled.job!, from, nextRunAt) : nextRunAt
  return { ...plan, nextRunAt, source: next.source, periodId: instantText(nominal) }
}

/**
 * The plan of an endpoint that waited until `since`, for the end of a pause, a quota or a hint. A
 * period of the cron that came since, or at that very instant, is due though nobody looked then.
 */
export function replanSince(
  plan: Plan,
  compiled: CompiledEndpoint,
  since: number,
  now: number,
): Plan {
  const late = replan(withoutPast(plan, since), compiled, since - 1)
  const isDue = late.source === 'baseline-cron' && late.nextRunAt !== null && late.nextRunAt <= now
  return isDue ? { ...late, pausedUntil: plan.pausedUntil } : replan(plan, compiled, now)
}

/**
 * Since when this timing of the schedule counts: from the creation on, and after a change from that
 * change on. Plans of 0.1 don't say, and count from what they had handled.
 */
function answering(
  { responsibility, handledThrough, createdAt }: Plan,
  { timing }: CompiledEndpoint,
  now: number,
): Responsibility | null {
  if (timing === null) return null
  return responsibilityFor(timing, responsibility, handledThrough, createdAt, now)
}

function hasNewTiming({ responsibility, handledThrough }: Plan, { timing }: CompiledEndpoint) {
  return responsibility === null ? handledThrough === null : responsibility.timing !== timing
}

/** The plan for the period that is current now: a policy may want that one as well. */
function currentPeriod(plan: Plan, { job, policy }: CompiledEndpoint, now: number): Plan | null {
  // Only a schedule says so: an interval has no current period.
  const nominal = policy.first === 'run' ? job!.currentPeriod(now) : null
  const period = nominal === null ? null : scheduledPeriod(job!, nominal)
  if (period === null) return null
  const { at, periodId } = period
  return { ...plan, nextRunAt: at, source: 'baseline-cron', periodId }
}

/** A period of the cron has come, nobody has claimed it yet, and by all that is known it stands. */
function isStillDue(plan: Plan, compiled: CompiledEndpoint, now: number): boolean {
  const { nextRunAt, source, periodId } = plan
  const { job } = compiled
  if (job === null || source !== 'baseline-cron' || nextRunAt === null || nextRunAt > now) {
    return false
  }
  const period = plannedPeriod(job, nextRunAt, periodId)
  // Neither of the two depends on whether a run is under way.
  const { kind } = verdictOn(period, compiled, plan, now, false)
  if (kind === 'handled' || kind === 'notResponsible') return false
  const again = planNextRun(governed(withoutPast(plan, now), compiled), nextRunAt - 1)
  return again.source === 'baseline-cron' && again.nextRunAt === nextRunAt
}

/** What planners gave counts only while they may act on the endpoint. */
function heededHints(
  { intervalHint, oneShotHint }: Plan,
  { endpoint }: CompiledEndpoint,
): Pick<Plan, 'intervalHint' | 'oneShotHint'> {
  if (endpoint.definition.planner === 'on') return { intervalHint, oneShotHint }
  return {
    intervalHint: isPlanners(intervalHint) ? null : intervalHint,
    oneShotHint: isPlanners(oneShotHint) ? null : oneShotHint,
  }
}

/** What has expired never counts again, and must not wake the endpoint again either. */
function withoutExpired(plan: Plan, now: number): Plan {
  const { intervalHint, oneShotHint } = plan
  const isOver = (hint: { readonly expiresAt: number } | null) =>
    hint !== null && hint.expiresAt <= now
  return {
    ...plan,
    intervalHint: isOver(intervalHint) ? null : intervalHint,
    oneShotHint: isOver(oneShotHint) ? null : oneShotHint,
  }
}

/** The plan as if hints and a pause that are over by `now` had never been. */
function withoutPast(plan: Plan, now: number): Plan {
  const pausedUntil = isPaused(plan, now) ? plan.pausedUntil : null
  return { ...withoutExpired(plan, now), pausedUntil }
}

function nominalOf(job: Job, from: number, chosen: number): number {
  // Without a window it is the chosen time, and need not be looked for.
  return job.spec.window.duration === 0 ? chosen : nextChosenPeriod(job, from)!.nominalTime
}

/** After a restore the last run that is known may not be the last one that was. */
function countedFrom({ lastRunAt, restoredAt, createdAt }: Plan): number | null {
  if (restoredAt === null) return lastRunAt
  return Math.max(restoredAt, lastRunAt ?? createdAt)
}

/** What the Governor looks at. */
export function governed(plan: Plan, { endpoint, job }: CompiledEndpoint): EndpointPlan {
  const { baseline, minIntervalMs, maxIntervalMs } = endpoint.definition
  return {
    pausedUntil: plan.pausedUntil,
    aiHintNextRunAt: plan.oneShotHint?.nextRunAt ?? null,
    aiHintNextRunExpiresAt: plan.oneShotHint?.expiresAt ?? null,
    aiHintIntervalMs: plan.intervalHint?.intervalMs ?? null,
    aiHintIntervalExpiresAt: plan.intervalHint?.expiresAt ?? null,
    baselineCron: job,
    baselineIntervalMs: baseline.intervalMs,
    jitterMs: baseline.jitterMs,
    identity: endpoint.identity,
    minIntervalMs,
    maxIntervalMs,
    lastRunAt: countedFrom(plan),
    createdAt: plan.createdAt,
  }
}

/**
 * A plan as it is after a restore from a backup at `now`. What came between the backup and now may
 * have been sent, and nobody knows: so nothing of it is sent, neither runs that were under way or
 * asked for in the backup nor periods and hints of that time. A worker makes the next plan.
 */
export function restoredPlan(plan: Plan, now: number): Plan {
  const { held, responsibility, oneShotHint, handledThrough, suspended } = plan
  const restored: Plan = {
    ...plan,
    requested: null,
    held: null,
    fence: held === null ? plan.fence : plan.fence + 1,
    handledThrough: Math.max(handledThrough ?? now, now),
    responsibility: responsibility && { ...responsibility, since: now },
    oneShotHint: oneShotHint !== null && oneShotHint.nextRunAt <= now ? null : oneShotHint,
    restoredAt: now,
  }
  if (suspended) return { ...restored, nextRunAt: null, periodId: null }
  return { ...restored, nextRunAt: now, source: 'paused', periodId: instantText(now) }
}
