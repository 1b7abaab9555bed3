import { KronError } from '@kron/core'
import {
  type EndpointDefinition,
  instantText,
  type Quotas,
  type Retention,
  type Tenant,
} from '../domain/index.js'
import { everyItem } from '../store/index.js'
import { type Asker, type Call, inCall, type UseCasePorts } from './call.js'
import { auditChange } from './change.js'
import { loadEndpoint, storeEndpoint } from './endpoints/stored-endpoint.js'
import { suspendEndpoints } from './jobs.js'
import { Refusal } from './refusal.js'
import { cancelOpenRuns } from './runs.js'

type TenantCall = Pick<Call, 'rows' | 'actor' | 'tenantId'>

/** What is not said stays as it is. */
export async function changeQuotas(call: TenantCall, change: Partial<Quotas>): Promise<Tenant> {
  const tenant = await call.rows.tenant.lock()
  const quotas = { ...tenant.quotas, ...change }
  await call.rows.tenant.update({ quotas })
  await auditTenant(call, 'tenant.quotas', { ...tenant.quotas }, { ...quotas })
  return { ...tenant, quotas }
}

export async function changeRetention(
  call: TenantCall,
  change: Partial<Retention>,
): Promise<Tenant> {
  const tenant = await call.rows.tenant.lock()
  const retention = { ...tenant.retention, ...change }
  await call.rows.tenant.update({ retention })
  await auditTenant(call, 'tenant.retention', { ...tenant.retention }, { ...retention })
  return { ...tenant, retention }
}

const auditTenant = (
  call: TenantCall,
  action: string,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Promise<void> => auditChange(call, { action, subject: call.tenantId, before, after })

/** Names are for people: two tenants may have the same. */
export async function renameTenant(call: TenantCall, name: string): Promise<Tenant> {
  const tenant = await call.rows.tenant.lock()
  await call.rows.tenant.update({ name })
  await auditTenant(call, 'tenant.rename', { name: tenant.name }, { name })
  return { ...tenant, name }
}

const suspensionReason = 'tenant_suspended'

/**
 * Stops everything that a tenant does, in this order:
 *
 *  1. it is marked: API requests with its keys are refused, at the latest when a process looks the
 *     key up again (three seconds);
 *  2. job by job, in transactions of their own, nothing is planned any more, and what is pending or
 *     running is cancelled.
 *
 * Dying in between leaves a tenant whose keys are refused and some of whose jobs still run. All of
 * it may be repeated.
 */
export async function suspendTenant(ports: UseCasePorts, asker: Asker): Promise<void> {
  await inCall(ports, asker, (call) => mark(call, call.rows.now))
  for (const jobId of await jobsOf(ports, asker)) {
    await inCall(ports, asker, async (call) => {
      // Who changes the job at this moment still found the tenant active, and ends first.
      if ((await call.rows.jobs.get(jobId)) === null) return
      await suspendEndpoints(call, jobId, suspensionReason)
      await cancelOpenRuns(call, { jobId }, suspensionReason)
    })
  }
}

/**
 * The way back, with the mark last: were it taken first, a tenant whose keys work could have jobs
 * that stand still. Jobs that it had paused stay paused. Dying in between leaves it suspended, with
 * some of its jobs running; all of it may be repeated.
 */
export async function resumeTenant(ports: UseCasePorts, asker: Asker): Promise<void> {
  for (const jobId of await jobsOf(ports, asker)) {
    await inCall(ports, asker, async ({ rows }) => {
      const job = await rows.jobs.get(jobId)
      const { suspendedAt } = await rows.tenant.get()
      // Of one that is not suspended nothing has to be planned again.
      if (suspendedAt === undefined || job?.status !== 'active') return
      await rows.plans.unsuspend(jobId)
      rows.wakeAt(rows.now)
    })
  }
  await inCall(ports, asker, (call) => mark(call, null))
}

/** Archived ones as well: what ran when they were put away may still be under way. */
async function jobsOf(ports: UseCasePorts, asker: Asker): Promise<readonly string[]> {
  const ids: string[] = []
  const jobs = everyItem((page) => inCall(ports, asker, ({ rows }) => rows.jobs.list(page)))
  for await (const { id } of jobs) ids.push(id)
  return ids
}

async function mark(call: Call, at: number | null): Promise<void> {
  const { rows, tenantId } = call
  const { suspendedAt } = await rows.tenant.lock()
  if ((suspendedAt === undefined) === (at === null)) return
  await rows.tenant.suspend(at)
  const textOf = (instant: number | null) => instant && instantText(instant)
  await auditChange(call, {
    action: at === null ? 'tenant.resume' : 'tenant.suspend',
    subject: tenantId,
    before: { suspendedAt: textOf(suspendedAt ?? null) },
    after: { suspendedAt: textOf(at) },
  })
}

/** Small enough that workers hardly notice. */
const rowsAtOnce = 500

/**
 * Removes a tenant with all that it has, in this order:
 *
 *  1. it is suspended: nothing runs and nobody can change anything;
 *  2. the audit log says that it is being deleted, and by whom; this entry is kept;
 *  3. its rows go, a bounded batch a transaction: endpoints with their plans first, then jobs, runs,
 *     keys, secrets and the rest;
 *  4. the tenant itself.
 *
 * Dying after 1 leaves a suspended tenant, dying in 3 one that has lost a part of what it had. Both
 * are deleted by doing it again; the part is not given back by resuming.
 */
export async function deleteTenant(
  ports: UseCasePorts,
  asker: Asker,
  progress: (rows: number) => void = () => {},
): Promise<void> {
  await suspendTenant(ports, asker)
  const { store } = ports
  const { tenantId } = asker
  await inCall(ports, asker, async (call) => {
    const { name, createdAt } = await call.rows.tenant.get()
    const before = { name, createdAt }
    await auditChange(call, { action: 'tenant.delete', subject: tenantId, before, after: null })
  })
  for (;;) {
    const gone = await store.system((rows) => rows.deleteRowsOf(tenantId, rowsAtOnce))
    if (gone === 0) break
    progress(gone)
  }
  await store.system((rows) => rows.deleteTenant(tenantId))
}

/**
 * Holds endpoints that are there already to a floor that was set later, one a transaction. What
 * they say of their baseline stays; their own minimum keeps it from running more often. Dying in
 * between leaves some that are not held yet: the same command again goes on. Archived ones are held
 * as well: bringing one back does not change its definition.
 */
export async function holdToFloor(
  ports: UseCasePorts,
  asker: Asker,
  floorMs: number,
): Promise<number> {
  const endpoints = everyItem((page) =>
    inCall(ports, asker, ({ rows }) => rows.endpoints.list(page)),
  )
  let held = 0
  for await (const { endpoint } of endpoints) {
    if (raised(endpoint.definition, floorMs) === null) continue
    try {
      await inCall(ports, asker, (call) => hold(call, endpoint.id, floorMs))
      held++
    } catch (error) {
      // Deleted meanwhile, or no longer compiled: then it does not run either.
      if (!(error instanceof Refusal || error instanceof KronError)) throw error
    }
  }
  return held
}

async function hold(call: Call, id: string, floorMs: number): Promise<void> {
  const { endpoint, plan } = await loadEndpoint(call, id)
  const definition = raised(endpoint.definition, floorMs)
  if (definition !== null)
    await storeEndpoint(call, endpoint, { definition }, plan, 'endpoint.floor')
}

/** null: it keeps to the floor as it is. */
function raised(definition: EndpointDefinition, floorMs: number): EndpointDefinition | null {
  const { minIntervalMs, maxIntervalMs } = definition
  if (minIntervalMs !== null && minIntervalMs >= floorMs) return null
  return {
    ...definition,
    minIntervalMs: floorMs,
    maxIntervalMs: maxIntervalMs === null ? null : Math.max(maxIntervalMs, floorMs),
  }
}
