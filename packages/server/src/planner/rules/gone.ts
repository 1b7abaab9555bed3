import { instantText } from '../../domain/index.js'
import { latestSent, onlySaid, type Rule } from './rule.js'

const gone = 410
const pauseMs = 7 * 24 * 3_600_000

/**
 * 410 says that what was there is gone for good. It is paused for a week and not for ever: then one
 * run asks again, and is answered 410 again, or the endpoint is back.
 */
export const goneRule: Rule = (input) => {
  const latest = latestSent(input)
  if (latest?.response?.httpStatus !== gone) return null
  const { now, plan } = input
  if (plan.pausedUntil !== null && plan.pausedUntil > now) {
    return onlySaid(`It answered 410 Gone, and is paused until ${instantText(plan.pausedUntil)}.`)
  }
  const until = now + pauseMs
  const reason = 'answered 410 Gone; asked again after a week'
  return {
    said: `It answered 410 Gone, so it is paused until ${instantText(until)}.`,
    actions: [{ kind: 'pauseUntil', until, reason }],
  }
}
