import type { EndpointWithPlan } from '../../domain/index.js'

/** Why no planner may look at an endpoint or act on it, or null. */
export function closedTo({ endpoint, plan }: EndpointWithPlan): string | null {
  if (endpoint.definition.planner === 'off') return 'the endpoint has planner: off'
  if (endpoint.archivedAt !== null) return 'the endpoint is archived'
  return plan.suspended ? 'the job is not active' : null
}
