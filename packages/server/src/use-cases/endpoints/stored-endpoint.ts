import { KronError } from '@kron/core'
import {
  auditedPlan,
  draftOf,
  type Endpoint,
  type EndpointWithPlan,
  isId,
  isPaused,
  type Plan,
} from '../../domain/index.js'
import {
  type CompiledEndpoint,
  compileEndpoint,
  replanWithinQuota,
  statedPolicy,
} from '../../scheduling/index.js'
import type { Call } from '../call.js'
import { auditChange } from '../change.js'
import { existing, type FieldError, invalidFields } from '../refusal.js'
import { endpointNameTaken } from './checks.js'

/** The endpoint and its plan, locked until the call ends. */
export async function loadEndpoint({ rows }: Call, id: string): Promise<EndpointWithPlan> {
  return existing(isId('ep', id) ? await rows.endpoints.get(id) : null, 'endpoint')
}

/** The same for those who change nothing: a lock would have workers pass over the endpoint. */
export async function readEndpoint({ rows }: Call, id: string): Promise<EndpointWithPlan> {
  return existing(isId('ep', id) ? await rows.endpoints.read(id) : null, 'endpoint')
}

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

/** Writes what the Governor makes of a plan of which something changed. */
export async function storeReplanned(call: Call, endpoint: Endpoint, changed: Plan): Promise<Plan> {
  const plan = await replanWithinQuota(call.rows, changed, compileChecked(endpoint))
  await call.rows.plans.put(plan)
  return plan
}

/** Compiles an endpoint; what the core says against its schedule becomes an error of a field. */
export function compileChecked(endpoint: Endpoint): CompiledEndpoint {
  try {
    return compileEndpoint(endpoint)
  } catch (error) {
    if (error instanceof KronError) throw invalidFields([scheduleError(error)])
    throw error
  }
}

function scheduleError(error: KronError): FieldError {
  const { code, message, details } = error
  const inZone = code === 'KRON_ZONE_UNKNOWN' && !details.field.startsWith('@')
  const { position } = details
  return {
    field: inZone ? 'timezone' : 'cron',
    code,
    message,
    ...(typeof position === 'number' && !inZone && { position }),
  }
}

/** What the audit log keeps of a definition: of headers the names, of a body its size. */
export function auditedEndpoint(endpoint: Endpoint): Readonly<Record<string, unknown>> {
  const { definition, jobId, archivedAt } = endpoint
  const { body } = definition
  return {
    jobId,
    ...draftOf(endpoint),
    headers: Object.keys(definition.headers),
    body: body === null ? null : { ...body, content: `${body.content.length} characters` },
    archived: archivedAt !== null,
  }
}

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
