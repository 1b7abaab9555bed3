import type { EndpointWithPlan } from '../../domain/index.js'
import type { Call } from '../call.js'
import { loadEndpoint } from './load-endpoint.js'
import { storeEndpoint } from './store-endpoint.js'
import { withdrawClaimed, withdrawRequested } from './withdraw-runs.js'

/** Puts an endpoint away: it keeps its history and runs no more. A run under way ends as it may. */
export async function archiveEndpoint(call: Call, id: string): Promise<EndpointWithPlan> {
  const found = await loadEndpoint(call, id)
  const { endpoint, plan } = found
  if (endpoint.archivedAt !== null) return found
  const unclaimed = await withdrawClaimed(call, plan, 'archived')
  const free = await withdrawRequested(call, unclaimed, 'archived')
  const archivedAt = call.rows.now
  return storeEndpoint(
    call,
    endpoint,
    { archivedAt },
    { ...free, suspended: true },
    'endpoint.archive',
  )
}
