import type { EndpointWithPlan } from '../../domain/index.js'
import type { Call } from '../call.js'
import { changePlan } from './change-plan.js'
import { loadEndpoint } from './load-endpoint.js'

export async function resetFailures(call: Call, id: string): Promise<EndpointWithPlan> {
  const found = await loadEndpoint(call, id)
  if (found.plan.failureCount === 0) return found
  return changePlan(call, found, { failureCount: 0 }, 'endpoint.reset_failures')
}
