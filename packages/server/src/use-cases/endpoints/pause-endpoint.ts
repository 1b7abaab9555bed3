import type { EndpointWithPlan } from '../../domain/index.js'
import type { Call } from '../call.js'
import { invalidField } from '../service-error.js'
import { changePlan } from './change-plan.js'
import { loadEndpoint } from './load-endpoint.js'
import { withdrawClaimed } from './withdraw-runs.js'

export interface Pause {
  readonly pausedUntil: number
  readonly reason: string | null
}

/** Nothing is planned before the pause ends, and what was claimed for later is taken back. */
export async function pauseEndpoint(
  call: Call,
  id: string,
  { pausedUntil, reason }: Pause,
): Promise<EndpointWithPlan> {
  const { endpoint, plan } = await loadEndpoint(call, id)
  if (pausedUntil <= call.rows.now) {
    throw invalidField('pausedUntil', 'out_of_range', 'pausedUntil must be in the future')
  }
  const free = await withdrawClaimed(call, plan, 'paused')
  const change = { pausedUntil, pauseReason: reason }
  return changePlan(call, { endpoint, plan: free }, change, 'endpoint.pause', reason)
}
