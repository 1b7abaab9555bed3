import { formatDuration } from '@kron/core'
import { parseSteering } from '../../dispatch/index.js'
import { instantText } from '../../domain/index.js'
import { intervalBand } from '../bounds.js'
import type { PlannerInput } from '../planner.js'
import { latestSent, onlySaid, ownName, type Rule } from './rule.js'

/** Up to here the run is moved; a longer wait is a pause, which says so wherever it is shown. */
const longestMoveMs = 3_600_000
const longestWaitMs = 24 * 3_600_000
/** A one-shot that its worker comes to late must not have expired. */
const spareMinutes = 60

/** A failure with Retry-After says when it makes sense to come again: not before. */
export const waitAsAskedRule: Rule = (input) => {
  const { plan, now } = input
  const latest = latestSent(input)
  if (latest === null || latest.status !== 'failure' || latest.endedAt === null) return null
  const { retryAfterMs } = parseSteering(latest.response?.headers ?? {}, latest.endedAt)
  const asked = latest.endedAt + (retryAfterMs ?? 0)
  if (asked <= now) return null
  const wanted = Math.min(asked, now + longestWaitMs, latestAllowed(input))
  const at = input.calendar === null ? wanted : (input.calendar.from(wanted) ?? wanted)
  if (plan.nextRunAt === null || plan.nextRunAt >= at) {
    return onlySaid(`It asked to be left alone until ${instantText(at)}; the plan is later anyway.`)
  }
  const given = plan.oneShotHint
  if (given !== null && given.expiresAt > now && given.by !== ownName) {
    return onlySaid(`It asked to be left alone until ${instantText(at)}, but ${given.by} decided.`)
  }
  const waitMs = at - now
  const said = `It asked to be left alone for ${formatDuration(wholeSeconds(waitMs))}.`
  const reason = 'Retry-After of the response'
  const { maxMs } = intervalBand(input.endpoint.definition)
  const isInBand = at <= (plan.lastRunAt ?? plan.createdAt) + maxMs
  if (waitMs > longestMoveMs || !isInBand) {
    return { said, actions: [{ kind: 'pauseUntil', until: at, reason }] }
  }
  const ttlMinutes = Math.ceil(waitMs / 60_000) + spareMinutes
  return { said, actions: [{ kind: 'proposeNextTime', nextRunAt: at, ttlMinutes, reason }] }
}

/** A target that asks for more than the maximum interval gets that. */
function latestAllowed({ endpoint, plan }: PlannerInput): number {
  const { maxIntervalMs } = endpoint.definition
  return (plan.lastRunAt ?? plan.createdAt) + (maxIntervalMs ?? Number.POSITIVE_INFINITY)
}

const wholeSeconds = (ms: number): number => Math.ceil(ms / 1000) * 1000

const goneStatus = 410
const goneMs = 7 * 24 * 3_600_000

/**
 * 410 says that what was there is gone for good. It is paused for a week and not for ever: then one
 * run asks again, and is answered 410 again, or the endpoint is back.
 */
export const goneRule: Rule = (input) => {
  const latest = latestSent(input)
  if (latest?.response?.httpStatus !== goneStatus) return null
  const { now, plan } = input
  if (plan.pausedUntil !== null && plan.pausedUntil > now) {
    return onlySaid(`It answered 410 Gone, and is paused until ${instantText(plan.pausedUntil)}.`)
  }
  const until = now + goneMs
  const reason = 'answered 410 Gone; asked again after a week'
  return {
    said: `It answered 410 Gone, so it is paused until ${instantText(until)}.`,
    actions: [{ kind: 'pauseUntil', until, reason }],
  }
}
