import { type EndpointWithPlan, isPaused } from '../../domain/index.js'
import { statedPolicy } from '../../scheduling/index.js'
import type { Call } from '../call.js'

export const endpointStatuses = [
  'active',
  'paused',
  'running',
  'suspended',
  'finished',
  'archived',
] as const
type EndpointStatus = (typeof endpointStatuses)[number]

/** What an endpoint does now. A run that was claimed ahead of its time has not begun. */
export function endpointStatus({ endpoint, plan }: EndpointWithPlan, now: number): EndpointStatus {
  if (endpoint.archivedAt !== null) return 'archived'
  if (plan.held !== null && plan.held.scheduledFor <= now) return 'running'
  if (plan.suspended || statedPolicy(endpoint.definition).suspend) return 'suspended'
  if (isPaused(plan, now)) return 'paused'
  // No time of its schedule is left, and nobody has asked for a run.
  const isFinished = plan.nextRunAt === null && plan.held === null && plan.requested === null
  return isFinished ? 'finished' : 'active'
}

/** Tells that an endpoint or its plan was changed, and what it does now. */
export function announceEndpoint(call: Call, found: EndpointWithPlan): void {
  call.announce('endpoint.changed', found.endpoint.id, endpointStatus(found, call.rows.now))
}
