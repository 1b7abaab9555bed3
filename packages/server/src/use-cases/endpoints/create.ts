import {
  changedDraft,
  defaultDraft,
  definitionOf,
  type Endpoint,
  type EndpointChange,
  type EndpointWithPlan,
  newId,
  seedIdentity,
} from '../../domain/index.js'
import { newPlan, suspendedPlan } from '../../scheduling/index.js'
import type { Call } from '../call.js'
import { auditChange } from '../change.js'
import { jobArchived, loadJob } from '../jobs.js'
import { invalidFields } from '../refusal.js'
import {
  checkDraft,
  checkEndpointQuota,
  checkFloor,
  checkSecret,
  endpointNameTaken,
  intervalFloor,
  raisedToFloor,
} from './checks.js'
import { sealHeaders } from './request-checks.js'
import { announceEndpoint, auditedEndpoint, compileChecked } from './stored-endpoint.js'

export type NewEndpoint = EndpointChange & {
  readonly name: string
  readonly url: string
  /** Of an endpoint that is made again, as its export says. */
  readonly identity?: string | undefined
}

export async function createEndpoint(
  call: Call,
  jobId: string,
  given: NewEndpoint,
): Promise<EndpointWithPlan> {
  const { rows, tenantId } = call
  const job = await loadJob(call, jobId)
  if (job.status === 'archived') throw jobArchived()
  const { identity, ...change } = given
  const { name, url } = change
  const floorMs = await intervalFloor(call)
  const draft = raisedToFloor(changedDraft({ ...defaultDraft, name, url }, change), floorMs)
  const errors = [...checkDraft(draft, change, call.addressGuard), ...checkFloor(draft, floorMs)]
  if (errors.length > 0) throw invalidFields(errors)
  await checkSecret(call, draft.secret)
  const endpoint: Endpoint = {
    id: newId('ep', rows.now),
    tenantId,
    jobId,
    identity: identity ?? seedIdentity((await rows.tenant.get()).name, job.name, name),
    version: 1,
    createdAt: rows.now,
    updatedAt: rows.now,
    archivedAt: null,
    definition: definitionOf(draft, sealHeaders(call, given.headers ?? {}, {})),
  }
  const compiled = compileChecked(endpoint)
  const made = newPlan(endpoint, compiled, rows.now)
  const plan = job.status === 'active' ? made : suspendedPlan(made)
  if (!(await rows.endpoints.insert(endpoint, plan))) throw endpointNameTaken(name)
  await checkEndpointQuota(call)
  const after = auditedEndpoint(endpoint)
  await auditChange(call, { action: 'endpoint.create', subject: endpoint.id, before: null, after })
  announceEndpoint(call, { endpoint, plan })
  return { endpoint, plan }
}
