import type { Planner } from '../planner.js'
import { backOffRule } from './back-off.js'
import { crowdRule } from './crowd.js'
import { goneRule } from './gone.js'
import type { Advice, Rule } from './rule.js'
import { waitAsAskedRule } from './wait-as-asked.js'

/** The first that has something to say about how it went decides. */
const rules: readonly Rule[] = [goneRule, waitAsAskedRule, backOffRule]

/** Deterministic, always on, and free: the same endpoint gets the same advice. */
export const rulesPlanner: Planner = {
  name: 'rules',
  callsEach: 0,
  async propose(input) {
    const cost = { calls: 0, tokens: 0 }
    if (input.endpoint.definition.planner === 'off') {
      return { said: 'The endpoint has planner: off.', actions: [], cost }
    }
    const advice = firstOf(rules, (rule) => rule(input))
    const said = [advice, crowdRule(input)].flatMap((one) => (one === null ? [] : [one.said]))
    return {
      said: said.length === 0 ? 'There is nothing to do.' : said.join(' '),
      actions: advice?.actions ?? [],
      cost,
    }
  },
}

function firstOf(all: readonly Rule[], ask: (rule: Rule) => Advice | null): Advice | null {
  for (const rule of all) {
    const advice = ask(rule)
    if (advice !== null) return advice
  }
  return null
}
