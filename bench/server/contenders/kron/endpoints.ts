import {
  compileEndpoint,
  type Endpoint,
  type EndpointDefinition,
  newId,
  newPlan,
  type Store,
  unlimited,
  usualDefinition,
  usualRetention,
} from '@kron/server'

const rowsOfATransaction = 1000

const daily: Omit<EndpointDefinition, 'name' | 'url'> = {
  ...usualDefinition,
  baseline: { ...usualDefinition.baseline, intervalMs: 86_400_000 },
}

/** The endpoints of one round: each is due once, then a day later. */
export async function addEndpoints(
  store: Store,
  { dueAt, count, targetUrl }: { dueAt: number; count: number; targetUrl: string },
): Promise<string> {
  const now = await store.time()
  const tenantId = newId('ten', now)
  const jobId = newId('job', now)
  const tenant = { id: tenantId, name: 'bench', createdAt: now }
  await store.system((rows) =>
    rows.insertTenant({ ...tenant, quotas: unlimited, retention: usualRetention }),
  )
  const job = { id: jobId, tenantId, name: 'bench', description: null, version: 1 }
  await store.tenant(tenantId, (rows) =>
    rows.jobs.insert({ ...job, status: 'active', createdAt: now, updatedAt: now }),
  )
  for (let from = 0; from < count; from += rowsOfATransaction) {
    await store.tenant(tenantId, async (rows) => {
      for (let id = from; id < Math.min(from + rowsOfATransaction, count); id++) {
        const endpoint: Endpoint = {
          id: newId('ep', now),
          tenantId,
          jobId,
          version: 1,
          createdAt: now,
          updatedAt: now,
          archivedAt: null,
          definition: { ...daily, name: `endpoint ${id}`, url: `${targetUrl}${id}` },
        }
        const plan = newPlan(endpoint, compileEndpoint(endpoint), rows.now)
        const isNew = await rows.endpoints.insert(endpoint, { ...plan, nextRunAt: dueAt })
        if (!isNew) throw new Error(`${endpoint.definition.name} was not stored`)
      }
    })
  }
  return tenantId
}
