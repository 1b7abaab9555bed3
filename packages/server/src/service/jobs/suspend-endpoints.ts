import type { Call } from '../call.js'
import { storeReplanned } from '../endpoints/store-plan.js'
import { claimedAhead, withdrawClaimed } from '../endpoints/withdraw-runs.js'

/** Nothing of the job is planned any more, and what was claimed for later is taken back. */
export async function suspendEndpoints(call: Call, jobId: string, reason: string): Promise<void> {
  const { rows } = call
  await rows.plans.setSuspended(jobId, true)
  const ahead = new Set<string>()
  for await (const { endpointId } of claimedAhead(call, { jobId })) ahead.add(endpointId)
  for (const endpointId of ahead) {
    const found = await rows.endpoints.get(endpointId)
    if (found === null) continue
    const plan = await withdrawClaimed(call, found.plan, reason)
    await storeReplanned(call, found.endpoint, plan)
  }
}
