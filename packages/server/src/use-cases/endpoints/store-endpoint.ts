import type { Endpoint, EndpointWithPlan, Plan } from '../../domain/index.js'
import { auditChange } from '../audit-change.js'
import type { Call } from '../call.js'
import { announceEndpoint } from './announce-endpoint.js'
import { auditedEndpoint } from './audited-endpoint.js'
import { endpointNameTaken } from './check-references.js'
import { storeReplanned } from './store-plan.js'

/** Writes a changed endpoint under its next version, and the plan that follows from it. */
export async function storeEndpoint(
  call: Call,
  before: Endpoint,
  change: Partial<Pick<Endpoint, 'definition' | 'archivedAt'>>,
  plan: Plan,
  action: string,
): Promise<EndpointWithPlan> {
  const { rows } = call
  const version = before.version + 1
  const endpoint: Endpoint = { ...before, ...change, version, updatedAt: rows.now }
  if (!(await rows.endpoints.update(endpoint))) {
    throw endpointNameTaken(endpoint.definition.name)
  }
  const next = await storeReplanned(call, endpoint, plan)
  await auditChange(call, {
    action,
    subject: endpoint.id,
    before: auditedEndpoint(before),
    after: auditedEndpoint(endpoint),
  })
  announceEndpoint(call, { endpoint, plan: next })
  return { endpoint, plan: next }
}
