import type { RunKey, SystemQuotas } from '../../domain/index.js'
import type { SecretKey } from '../store.js'
import type { TenantTransaction } from '../tenant-transaction.js'
import { auditTable } from './audit-table.js'
import { endpointTable } from './endpoint-table.js'
import { idempotencyTable } from './idempotency-table.js'
import { jobTable } from './job-table.js'
import { keyTable } from './key-table.js'
import { logOutTable } from './log-out-table.js'
import { planTable } from './plan-table.js'
import { runTable } from './run-table.js'
import { secretTable } from './secret-table.js'
import { sessionTable } from './session-table.js'
import type { Sql } from './sql.js'
import { systemUsageTable } from './system-usage.js'
import { tenantTable } from './tenant-table.js'

/** What is to be told to others once the transaction has committed. */
export interface Afterwards {
  wakeAt: number | null
  readonly aborted: RunKey[]
  readonly changedSecrets: SecretKey[]
}

export const nothingYet = (): Afterwards => ({ wakeAt: null, aborted: [], changedSecrets: [] })

export function tenantTables(
  sql: Sql,
  tenantId: string,
  systemQuotas: SystemQuotas,
  afterwards: Afterwards,
): TenantTransaction {
  return {
    tenantId,
    now: sql.now,
    time: () => sql.time(),
    tenant: tenantTable(sql, tenantId),
    system: systemUsageTable(sql, systemQuotas),
    jobs: jobTable(sql, tenantId),
    endpoints: endpointTable(sql, tenantId),
    plans: planTable(sql, tenantId),
    runs: runTable(sql, tenantId),
    keys: keyTable(sql, tenantId),
    secrets: secretTable(sql, tenantId, (name) => {
      afterwards.changedSecrets.push({ tenantId, name })
    }),
    audit: auditTable(sql, tenantId),
    sessions: sessionTable(sql, tenantId),
    idempotency: idempotencyTable(sql, tenantId),
    logOuts: logOutTable(sql, tenantId),
    wakeAt: (instant) => {
      afterwards.wakeAt = Math.min(afterwards.wakeAt ?? instant, instant)
    },
    abort: (run) => {
      afterwards.aborted.push(run)
    },
  }
}
