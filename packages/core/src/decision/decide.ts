import { type DecisionRequest, resolveDecisionRequest } from '../definition/index.js'
import { Decider } from './decider.js'
import type { Decision } from './decision.js'

/** One decision from loose input. For more than one period of a job, compile it. */
export function decide(request: DecisionRequest): Decision {
  const { nominalTime, ...spec } = resolveDecisionRequest(request)
  return new Decider(spec).decide(nominalTime)
}
