import type { EndpointDefinition, Plan, PlannerAction } from '../../domain/index.js'
import { instantText } from '../../insight/index.js'

/** More in one session is a planner gone wrong. */
export const mostActions = 8
const mostReason = 500
const mostTtlMinutes = 7 * 24 * 60
/** Everything a planner does ends by itself. */
const mostPauseMs = 7 * 24 * 3_600_000

export interface ActedOn {
  readonly plan: Plan
  readonly definition: EndpointDefinition
  /** Whether the tenant's quota has a run left. */
  readonly hasRunsLeft: boolean
  readonly now: number
}

/** Why an action may not be done, or null. What it proposes may come from anywhere: a model. */
export function refusalOf(action: PlannerAction, on: ActedOn): string | null {
  return reasonRefusal(action.reason) ?? kindRefusal(action, on)
}

function kindRefusal(action: PlannerAction, on: ActedOn): string | null {
  switch (action.kind) {
    case 'proposeInterval':
      return (
        ttlRefusal(action.ttlMinutes) ??
        intervalRefusal(action.intervalMs, on) ??
        ownerRefusal(on.plan.intervalHint, on) ??
        quotaRefusal(on)
      )
    case 'proposeNextTime':
      return (
        ttlRefusal(action.ttlMinutes) ??
        nextTimeRefusal(action.nextRunAt, action.ttlMinutes, on) ??
        ownerRefusal(on.plan.oneShotHint, on) ??
        quotaRefusal(on)
      )
    case 'pauseUntil':
      return pauseRefusal(action.until, on)
    case 'clearHints':
      return clearRefusal(on.plan)
    default:
      return 'there is no such action'
  }
}

function reasonRefusal(reason: unknown): string | null {
  if (typeof reason !== 'string' || reason.trim() === '') return 'it gives no reason'
  return reason.length > mostReason ? `its reason is longer than ${mostReason} characters` : null
}

function ttlRefusal(ttlMinutes: unknown): string | null {
  if (isWhole(ttlMinutes) && ttlMinutes >= 1 && ttlMinutes <= mostTtlMinutes) return null
  return `ttlMinutes must be a whole number from 1 to ${mostTtlMinutes}`
}

function intervalRefusal(intervalMs: unknown, { definition }: ActedOn): string | null {
  if (!isWhole(intervalMs) || intervalMs < 1) return 'intervalMs must be a whole number from 1'
  const { minIntervalMs, maxIntervalMs } = definition
  if (minIntervalMs !== null && intervalMs < minIntervalMs) {
    return `${intervalMs} ms is below the minimum interval of ${minIntervalMs} ms`
  }
  if (maxIntervalMs !== null && intervalMs > maxIntervalMs) {
    return `${intervalMs} ms is above the maximum interval of ${maxIntervalMs} ms`
  }
  return null
}

function nextTimeRefusal(nextRunAt: unknown, ttlMinutes: number, on: ActedOn): string | null {
  const { plan, definition, now } = on
  if (!isWhole(nextRunAt) || nextRunAt < now) return 'nextRunAt must not be in the past'
  if (nextRunAt >= now + ttlMinutes * 60_000) return 'nextRunAt is after the hint expires'
  const since = plan.lastRunAt ?? plan.createdAt
  if (definition.minIntervalMs !== null && nextRunAt < since + definition.minIntervalMs) {
    return `nextRunAt is less than the minimum interval after ${instantText(since)}`
  }
  if (definition.maxIntervalMs !== null && nextRunAt > since + definition.maxIntervalMs) {
    return `nextRunAt is more than the maximum interval after ${instantText(since)}`
  }
  return null
}

function pauseRefusal(until: unknown, { plan, now }: ActedOn): string | null {
  if (!isWhole(until) || until <= now) return 'a pause must end in the future'
  if (until > now + mostPauseMs) return 'a pause may last 7 days at most'
  if (plan.pausedUntil !== null && plan.pausedUntil >= until) {
    return `it is paused until ${instantText(plan.pausedUntil)} already`
  }
  return null
}

function clearRefusal({ intervalHint, oneShotHint }: Plan): string | null {
  if (isPlanners(intervalHint) || isPlanners(oneShotHint)) return null
  return 'there is no hint that a planner gave'
}

interface Given {
  readonly by: string
  readonly expiresAt: number
}

/** People, and the endpoint's own responses, come before any planner. */
function ownerRefusal(hint: Given | null, { now }: ActedOn): string | null {
  if (hint === null || hint.expiresAt <= now || isPlanners(hint)) return null
  return `a hint by ${hint.by} is in force until ${instantText(hint.expiresAt)}`
}

function quotaRefusal({ hasRunsLeft }: ActedOn): string | null {
  return hasRunsLeft ? null : 'the quota of runs is used up'
}

export function isPlanners(hint: Given | null): boolean {
  return hint?.by.startsWith('planner:') === true
}

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value)
