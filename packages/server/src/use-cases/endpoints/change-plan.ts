import { auditedPlan, type EndpointWithPlan, type Plan } from '../../domain/index.js'
import { auditChange } from '../audit-change.js'
import type { Call } from '../call.js'
import { announceEndpoint } from './announce-endpoint.js'
import { storeReplanned } from './store-plan.js'

/** Writes a plan of which people changed something, by what the Governor makes of it. */
export async function changePlan(
  call: Call,
  { endpoint, plan: before }: EndpointWithPlan,
  change: Partial<Plan>,
  action: string,
  reason: string | null = null,
): Promise<EndpointWithPlan> {
  const plan = await storeReplanned(call, endpoint, { ...before, ...change })
  await auditChange(call, {
    action,
    subject: endpoint.id,
    before: { ...auditedPlan(before) },
    after: { ...auditedPlan(plan) },
    reason,
  })
  announceEndpoint(call, { endpoint, plan })
  return { endpoint, plan }
}
