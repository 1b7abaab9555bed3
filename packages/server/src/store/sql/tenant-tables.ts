import type { Plan, RunKey, SystemQuotas } from '../../domain/index.js'
import { wakeOf } from '../../scheduling/index.js'
import type { SecretKey } from '../store.js'
import type { TenantTransaction } from '../tenant-transaction.js'
import { auditTable } from './audit-table.js'
import { endpointTable } from './endpoint-table.js'
import { idempotencyTable } from './idempotency-table.js'
import { jobTable } from './job-table.js'
import { keyTable } from './key-table.js'
import { logOutTable } from './log-out-table.js'
import { memoryTable } from './memory-table.js'
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
  const wakeAt = (instant: number): void => {
    afterwards.wakeAt = Math.min(afterwards.wakeAt ?? instant, instant)
  }
  /** Workers sleep to the earliest time that they know of. The end of a lease they know already. */
  const wakeFor = (plan: Plan): void => {
    const { at, kind } = wakeOf(plan)
    if (at !== null && kind !== 'held') wakeAt(at)
  }
  return {
    tenantId,
    now: sql.now,
    time: () => sql.time(),
    tenant: tenantTable(sql, tenantId),
    system: systemUsageTable(sql, systemQuotas),
    jobs: jobTable(sql, tenantId),
    endpoints: endpointTable(sql, tenantId, wakeFor),
    plans: planTable(sql, tenantId, wakeFor),
    memories: memoryTable(sql, tenantId),
    runs: runTable(sql, tenantId),
    keys: keyTable(sql, tenantId),
    secrets: secretTable(sql, tenantId, (name) => {
      afterwards.changedSecrets.push({ tenantId, name })
    }),
    audit: auditTable(sql, tenantId),
    sessions: sessionTable(sql, tenantId),
    idempotency: idempotencyTable(sql, tenantId),
    logOuts: logOutTable(sql, tenantId),
    wakeAt,
    abort: (run) => {
      afterwards.aborted.push(run)
    },
  }
}
