import {
  defaultDefinition,
  defaultRetention,
  type Endpoint,
  type EndpointDefinition,
  newId,
  unlimited,
} from '../../../../packages/server/dist/domain/index.js'
import { compileEndpoint, newPlan } from '../../../../packages/server/dist/scheduling/index.js'
import type { Store } from '../../../../packages/server/dist/store/index.js'
import type { Assignment } from '../../contender.ts'

const tenants = 10

const daily: Omit<EndpointDefinition, 'name' | 'url'> = {
  ...defaultDefinition,
  baseline: { ...defaultDefinition.baseline, intervalMs: 86_400_000 },
}

/**
 * The endpoints of one round, of several tenants: each is due once, then a day later, but for
 * `change`.
 */
export async function addEndpoints(
  store: Store,
  assignment: Assignment,
  change: Partial<EndpointDefinition> = {},
): Promise<string[]> {
  const share = Math.ceil(assignment.count / tenants)
  const parts = Array.from({ length: tenants }, (_, number) => ({
    from: number * share,
    to: Math.min((number + 1) * share, assignment.count),
  }))
  return Promise.all(parts.map((part) => addTenant(store, assignment, part, change)))
}

async function addTenant(
  store: Store,
  { dueAt, targetUrl }: Assignment,
  { from, to }: { from: number; to: number },
  change: Partial<EndpointDefinition>,
): Promise<string> {
  const now = await store.time()
  const tenantId = newId('ten', now)
  const jobId = newId('job', now)
  const tenant = { id: tenantId, name: 'bench', createdAt: now }
  await store.system((rows) =>
    rows.insertTenant({ ...tenant, quotas: unlimited, retention: defaultRetention }),
  )
  const job = { id: jobId, tenantId, name: 'bench', description: null, version: 1 }
  await store.tenant(tenantId, (rows) =>
    rows.jobs.insert({ ...job, status: 'active', createdAt: now, updatedAt: now }),
  )
  await store.tenant(tenantId, async (rows) => {
    for (let id = from; id < to; id++) {
      const endpoint: Endpoint = {
        id: newId('ep', now),
        tenantId,
        jobId,
        identity: `bench/${id}`,
        version: 1,
        createdAt: now,
        updatedAt: now,
        archivedAt: null,
        definition: { ...daily, ...change, name: `endpoint ${id}`, url: `${targetUrl}${id}` },
      }
      const plan = newPlan(endpoint, compileEndpoint(endpoint), rows.now)
      const isNew = await rows.endpoints.insert(endpoint, { ...plan, nextRunAt: dueAt })
      if (!isNew) throw new Error(`${endpoint.definition.name} was not stored`)
    }
  })
  return tenantId
}
