import { parseSchedule } from '@kron/core'
import type { PlannerInput } from '../planner.js'
import { onlySaid, type Rule } from './rule.js'

/** From here on a second is crowded. */
const crowd = 10

/** Many endpoints that start in the same second wait for each other, and for the same targets. */
export const crowdRule: Rule = (input) => {
  const { siblings } = input
  if (siblings.sameSecond < crowd || !isWithoutWindow(input)) return null
  const atLeast = siblings.complete ? '' : 'at least '
  return onlySaid(
    `It starts in the same second as ${atLeast}${siblings.sameSecond} others; ` +
      'a window such as @win(after,5m) in its schedule would spread them.',
  )
}

/** A schedule that can't be read is for others to complain of. */
function isWithoutWindow({ endpoint }: PlannerInput): boolean {
  const { cron, timezone } = endpoint.definition.baseline
  if (cron === null) return false
  try {
    return parseSchedule(cron, { timezone: timezone ?? undefined }).window.duration === 0
  } catch {
    return false
  }
}
