import type { EndpointWithPlan } from '../../domain/index.js'
import type { Call } from '../call.js'
import { changePlan } from './change-plan.js'
import { loadEndpoint } from './load-endpoint.js'

/** Back to the baseline. */
export async function clearHints(call: Call, id: string): Promise<EndpointWithPlan> {
  const found = await loadEndpoint(call, id)
  if (found.plan.intervalHint === null && found.plan.oneShotHint === null) return found
  const none = { intervalHint: null, oneShotHint: null }
  return changePlan(call, found, none, 'endpoint.clear_hints')
}
