import type { Quotas, Retention, Tenant } from '../../domain/index.js'
import { auditChange } from '../audit-change.js'
import type { Call } from '../call.js'

type TenantCall = Pick<Call, 'rows' | 'actor' | 'tenantId'>

/** What is not said stays as it is. */
export async function changeQuotas(call: TenantCall, change: Partial<Quotas>): Promise<Tenant> {
  const tenant = await call.rows.tenant.lock()
  const quotas = { ...tenant.quotas, ...change }
  await call.rows.tenant.update({ quotas })
  await audit(call, 'tenant.quotas', { ...tenant.quotas }, { ...quotas })
  return { ...tenant, quotas }
}

export async function changeRetention(
  call: TenantCall,
  change: Partial<Retention>,
): Promise<Tenant> {
  const tenant = await call.rows.tenant.lock()
  const retention = { ...tenant.retention, ...change }
  await call.rows.tenant.update({ retention })
  await audit(call, 'tenant.retention', { ...tenant.retention }, { ...retention })
  return { ...tenant, retention }
}

const audit = (
  call: TenantCall,
  action: string,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Promise<void> => auditChange(call, { action, subject: call.tenantId, before, after })
