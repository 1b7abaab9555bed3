import { formatDuration } from '@kron/core'
import { parseSteering } from '../../dispatch/index.js'
import { instantText } from '../../domain/index.js'
import { latestSent, onlySaid, type Rule } from './rule.js'

const maxWaitMs = 24 * 3_600_000

/**
 * A failure with Retry-After says when it makes sense to come again. The learner waits as long, as
 * far as its band allows. What asks for longer is paused, which says so wherever it is shown, unless
 * its owner has named a maximum interval: that is a promise.
 */
export const waitAsAskedRule: Rule = (input) => {
  const { plan, band, now, endpoint } = input
  const latest = latestSent(input)
  if (latest === null || latest.status !== 'failure' || latest.endedAt === null) return null
  const { retryAfterMs } = parseSteering(latest.response?.headers ?? {}, latest.endedAt)
  const asked = latest.endedAt + (retryAfterMs ?? 0)
  if (asked <= now || asked <= (plan.lastRunAt ?? plan.createdAt) + band.maxMs) return null
  const { maxIntervalMs } = endpoint.definition
  if (maxIntervalMs !== null) {
    const most = formatDuration(maxIntervalMs)
    return onlySaid(
      `It asked to be left alone until ${instantText(asked)}; its maximum interval is ${most}.`,
    )
  }
  const wanted = Math.min(asked, now + maxWaitMs)
  const until = input.calendar === null ? wanted : (input.calendar.from(wanted) ?? wanted)
  if (plan.nextRunAt === null || plan.nextRunAt >= until) return null
  const wait = formatDuration(Math.ceil((until - now) / 1000) * 1000)
  return {
    said: `It asked to be left alone for ${wait}.`,
    actions: [{ kind: 'pauseUntil', until, reason: 'Retry-After of the response' }],
  }
}

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
