import { auditChange } from '../audit-change.js'
import { type Asker, inCall, type ServicePorts } from '../call.js'
import { suspendTenant } from './suspend-tenant.js'

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
  ports: ServicePorts,
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
