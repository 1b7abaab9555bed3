import type { EndpointWithPlan } from '../../store/index.js'

export const endpointStatuses = ['active', 'paused', 'running', 'suspended', 'archived'] as const
export type EndpointStatus = (typeof endpointStatuses)[number]

/** What an endpoint does now. A run that was claimed ahead of its time has not begun. */
export function endpointStatus({ endpoint, plan }: EndpointWithPlan, now: number): EndpointStatus {
  if (endpoint.archivedAt !== null) return 'archived'
  if (plan.held !== null && plan.held.scheduledFor <= now) return 'running'
  if (plan.suspended) return 'suspended'
  return plan.pausedUntil !== null && plan.pausedUntil > now ? 'paused' : 'active'
}
