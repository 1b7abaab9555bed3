import { formatDuration } from '@kron/core'
import {
  type EndpointDefinition,
  instantText,
  isPlanners,
  longestMs,
  maxTtlMinutes,
  type Plan,
  type PlannerAction,
  type QuotaHold,
} from '../../domain/index.js'
import { type Calendar, intervalBand, outOfReach } from '../../scheduling/index.js'

/** More in one session is a planner gone wrong. */
export const maxActions = 8
const maxReason = 500
/** Everything a planner does ends by itself. */
const maxPauseMs = 7 * 24 * 3_600_000

export interface ActedOn {
  readonly plan: Plan
  readonly definition: EndpointDefinition
  /** The times that the schedule allows, where a planner is bound to them. */
  readonly calendar: Calendar | null
  /** The quota that has no run left, if there is one. */
  readonly hold: QuotaHold | null
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
        ownerRefusal(on) ??
        quotaRefusal(on)
      )
    case 'proposeNextTime':
      return (
        ttlRefusal(action.ttlMinutes) ??
        nextTimeRefusal(action.nextRunAt, action.ttlMinutes, on) ??
        ownerRefusal(on) ??
        quotaRefusal(on)
      )
    case 'pauseUntil':
      return pauseRefusal(action.until, on) ?? ownerRefusal(on)
    case 'clearHints':
      return clearRefusal(on.plan)
    default:
      return 'there is no such action'
  }
}

function reasonRefusal(reason: unknown): string | null {
  if (typeof reason !== 'string' || reason.trim() === '') return 'it gives no reason'
  return reason.length > maxReason ? `its reason is longer than ${maxReason} characters` : null
}

function ttlRefusal(ttlMinutes: unknown): string | null {
  if (isWhole(ttlMinutes) && ttlMinutes >= 1 && ttlMinutes <= maxTtlMinutes) return null
  return `ttlMinutes must be a whole number from 1 to ${maxTtlMinutes}`
}

function intervalRefusal(intervalMs: unknown, { definition, calendar }: ActedOn): string | null {
  if (!isWhole(intervalMs) || intervalMs < 1 || intervalMs > longestMs) {
    return `intervalMs must be a whole number from 1 to ${longestMs}`
  }
  if (calendar !== null) {
    return 'an interval would leave the schedule: of a cron only its own times may be chosen'
  }
  const { minMs, maxMs } = intervalBand(definition)
  if (intervalMs < minMs) {
    return `${formatDuration(intervalMs)} is below the minimum interval of ${formatDuration(minMs)}`
  }
  if (intervalMs > maxMs) {
    return `${formatDuration(intervalMs)} is above the maximum interval of ${formatDuration(maxMs)}`
  }
  return null
}

function nextTimeRefusal(nextRunAt: unknown, ttlMinutes: number, on: ActedOn): string | null {
  const { plan, definition, calendar, now } = on
  if (!isWhole(nextRunAt) || nextRunAt < now) return 'nextRunAt must not be in the past'
  const since = plan.lastRunAt ?? plan.createdAt
  const expiresAt = now + ttlMinutes * 60_000
  const { minMs, maxMs } = intervalBand(definition)
  if (nextRunAt < since + minMs) {
    return `nextRunAt is less than the minimum interval after ${instantText(since)}`
  }
  if (nextRunAt > since + maxMs) {
    return `nextRunAt is more than the maximum interval after ${instantText(since)}`
  }
  const flaw = outOfReach({ nextRunAt, expiresAt }, { since, minIntervalMs: minMs })
  if (flaw !== null) return `nextRunAt ${flaw}`
  if (calendar !== null && !calendar.has(nextRunAt)) {
    return `nextRunAt is not a time of the schedule: ${instantText(nextRunAt)}`
  }
  return null
}

function pauseRefusal(until: unknown, { plan, now }: ActedOn): string | null {
  if (!isWhole(until) || until <= now) return 'a pause must end in the future'
  if (until > now + maxPauseMs) return 'a pause may last 7 days at most'
  if (plan.pausedUntil !== null && plan.pausedUntil > now) {
    return `it is paused until ${instantText(plan.pausedUntil)} already`
  }
  return null
}

function clearRefusal({ intervalHint, oneShotHint }: Plan): string | null {
  if (isPlanners(intervalHint) || isPlanners(oneShotHint)) return null
  return 'there is no hint that a planner gave'
}

/**
 * People, and the endpoint's own responses, come before any planner: a hint of the other kind, or a
 * pause, would take their place as well.
 */
function ownerRefusal({ plan, now }: ActedOn): string | null {
  for (const hint of [plan.intervalHint, plan.oneShotHint]) {
    if (hint === null || hint.expiresAt <= now || isPlanners(hint)) continue
    return `a hint by ${hint.by} is in force until ${instantText(hint.expiresAt)}`
  }
  return null
}

function quotaRefusal({ hold }: ActedOn): string | null {
  if (hold === null) return null
  const whose = hold === 'quota' ? '' : ' for the whole system'
  return `the quota of runs${whose} is used up`
}

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value)
