import { parseSchedule } from '@kron/core'
import type { Planner, PlannerInput } from '../planner.js'
import { goneRule, waitAsAskedRule } from './as-asked.js'
import { type Advice, onlySaid, type Rule } from './rule.js'

/** The first that has something to say about how it went decides. */
const rules: readonly Rule[] = [goneRule, waitAsAskedRule]

/**
 * What the learner, which is asked with each run, can't do: pauses, and advice about schedules.
 * Deterministic, always on, and free: the same endpoint gets the same advice.
 */
export const rulesPlanner: Planner = {
  name: 'rules',
  callsEach: 0,
  async propose(input) {
    if (input.endpoint.definition.planner === 'off') return null
    const advice = firstOf(rules, (rule) => rule(input))
    const said = [advice, crowdRule(input)].flatMap((one) => (one === null ? [] : [one.said]))
    if (said.length === 0) return null
    const cost = { calls: 0, tokens: 0 }
    return { said: said.join(' '), actions: advice?.actions ?? [], cost }
  },
}

function firstOf(all: readonly Rule[], ask: (rule: Rule) => Advice | null): Advice | null {
  for (const rule of all) {
    const advice = ask(rule)
    if (advice !== null) return advice
  }
  return null
}

/** From here on a second is crowded. */
const crowd = 10

/**
 * Many endpoints that start in the same second wait for each other, and for the same targets. Said
 * once when a failure is new, and not again with each that follows.
 */
const crowdRule: Rule = (input) => {
  const { siblings, health } = input
  if (health.streak !== null && health.streak.length > 1) return null
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
