import type { EndpointWithPlan } from '../../domain/index.js'
import type { Call } from '../call.js'
import { changePlan } from './change-plan.js'
import { checkEndpointQuota } from './check-references.js'
import { loadEndpoint, readEndpoint } from './load-endpoint.js'
import { storeEndpoint } from './store-endpoint.js'

/** Ends a pause at once, and brings an archived endpoint back. */
export async function resumeEndpoint(call: Call, id: string): Promise<EndpointWithPlan> {
  // The job is locked first, as those do it who change all that it has.
  const { jobId } = (await readEndpoint(call, id)).endpoint
  const job = await call.rows.jobs.get(jobId)
  const found = await loadEndpoint(call, id)
  const { endpoint, plan } = found
  const resumed = { ...plan, pausedUntil: null, pauseReason: null }
  if (endpoint.archivedAt !== null) {
    const active = { ...resumed, suspended: job?.status !== 'active' }
    const back = await storeEndpoint(
      call,
      endpoint,
      { archivedAt: null },
      active,
      'endpoint.resume',
    )
    await checkEndpointQuota(call)
    return back
  }
  if (plan.pausedUntil === null) return found
  return changePlan(call, found, resumed, 'endpoint.resume')
}
