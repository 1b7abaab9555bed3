import type { Tenant } from '../../domain/index.js'
import { auditChange } from '../audit-change.js'
import type { Call } from '../call.js'

/** Names are for people: two tenants may have the same. */
export async function renameTenant(
  call: Pick<Call, 'rows' | 'actor' | 'tenantId'>,
  name: string,
): Promise<Tenant> {
  const tenant = await call.rows.tenant.lock()
  await call.rows.tenant.update({ name })
  await auditChange(call, {
    action: 'tenant.rename',
    subject: call.tenantId,
    before: { name: tenant.name },
    after: { name },
  })
  return { ...tenant, name }
}
