import { checkInstant } from '../calendar/instant.js'
import { nextFromCron, nextFromInterval } from './baseline.js'
import { checkPlan } from './check-plan.js'
import type { EndpointPlan, NextRun, PlanSource } from './endpoint-plan.js'

/**
 * The Governor: when an endpoint runs next, and why. The first of these that applies, in order:
 * pause, one-shot hint, interval hint, cron baseline, interval baseline. Everything but a pause is
 * then clamped between the minimum and maximum interval since the last run (since creation, when
 * it has never run), and nothing is planned in the past.
 */
export function planNextRun(endpoint: EndpointPlan, now: number): NextRun {
  checkPlan(endpoint)
  checkInstant(now, 'now')
  const { pausedUntil } = endpoint
  if (isSet(pausedUntil) && pausedUntil > now) return { nextRunAt: pausedUntil, source: 'paused' }
  const since = endpoint.lastRunAt ?? endpoint.createdAt
  const { nextRunAt, source } = clamp(endpoint, since, wanted(endpoint, since, now))
  if (nextRunAt === null) return { nextRunAt, source }
  return { nextRunAt: Math.max(nextRunAt, now), source }
}

function wanted(plan: EndpointPlan, since: number, now: number): NextRun {
  if (isSet(plan.aiHintNextRunAt) && isFresh(plan.aiHintNextRunExpiresAt, now)) {
    return { nextRunAt: plan.aiHintNextRunAt, source: 'ai-oneshot' }
  }
  if (isSet(plan.aiHintIntervalMs) && isFresh(plan.aiHintIntervalExpiresAt, now)) {
    return { nextRunAt: since + plan.aiHintIntervalMs, source: 'ai-interval' }
  }
  if (isSet(plan.baselineCron)) {
    return { nextRunAt: nextFromCron(plan, now), source: 'baseline-cron' }
  }
  return { nextRunAt: nextFromInterval(plan, since), source: 'baseline-interval' }
}

function clamp(plan: EndpointPlan, since: number, run: NextRun): NextRun {
  const { minIntervalMs, maxIntervalMs } = plan
  const at = run.nextRunAt ?? Number.POSITIVE_INFINITY
  const clamped = (limit: number, source: PlanSource): NextRun => ({ nextRunAt: limit, source })
  if (isSet(minIntervalMs) && at < since + minIntervalMs) {
    return clamped(since + minIntervalMs, 'clamped-min')
  }
  if (isSet(maxIntervalMs) && at > since + maxIntervalMs) {
    return clamped(since + maxIntervalMs, 'clamped-max')
  }
  return run
}

/** A hint counts strictly before its expiry; one without an expiry never counts. */
function isFresh(expiresAt: number | null | undefined, now: number): boolean {
  return isSet(expiresAt) && expiresAt > now
}

function isSet<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined
}
