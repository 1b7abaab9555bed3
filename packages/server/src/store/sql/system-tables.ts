import type { SystemQuotas, Tenant } from '../../domain/index.js'
import type { Attention, Pruned, SystemTransaction } from '../system-transaction.js'
import { pruneDeleted } from './deleted-endpoints.js'
import { pruneExcess } from './excess-runs.js'
import { type KeyRow, keyColumns, keyOf, usableKeys } from './key-table.js'
import { loggedOut } from './log-out-table.js'
import { restore } from './restore.js'
import { addSealingKey, lockSealingKeys, sealedSample, sealingKeys } from './sealing-table.js'
import { first, forUpdate, type Sql } from './sql.js'
import { endSystemHolds, systemUsage } from './system-usage.js'
import { deleteRowsOf } from './tenant-deletion.js'
import { type TenantRow, tenantOf } from './tenant-table.js'

const dayMs = 86_400_000

export function systemTables(sql: Sql, quotas: SystemQuotas): SystemTransaction {
  return {
    now: sql.now,
    quotas,
    usage: () => systemUsage(sql),
    endSystemHolds: () => endSystemHolds(sql),
    insertTenant: (tenant) => insertTenant(sql, tenant),
    insertTenantWithin: (tenant, maxTenants) => insertTenantWithin(sql, tenant, maxTenants),
    insertFirstTenant: (tenant) => insertTenantWithin(sql, tenant, 1),
    tenant: async (id) => {
      const row = await first<TenantRow>(sql, 'SELECT * FROM tenants WHERE tenant_id = $1', [id])
      return row && tenantOf(row)
    },
    tenants: async (limit, after) => {
      const text = 'SELECT * FROM tenants WHERE tenant_id > $1 ORDER BY tenant_id LIMIT $2'
      return (await sql.all<TenantRow>(text, [after ?? '', limit])).map(tenantOf)
    },
    deleteRowsOf: (tenantId, limit) => deleteRowsOf(sql, tenantId, limit),
    deleteTenant: async (tenantId) => {
      await sql.run('DELETE FROM tenants WHERE tenant_id = $1', [tenantId])
    },
    keyByHash: async (hash) => {
      const text = `SELECT ${keyColumns} FROM api_keys WHERE hash = $1`
      const row = await first<KeyRow>(sql, text, [hash])
      return row && keyOf(row)
    },
    usableKeys: (ids) => usableKeys(sql, ids),
    loggedOut: (sessions) => loggedOut(sql, sessions),
    touchKeys: async (used) => {
      // In one order: processes that note the same keys would wait for each other.
      for (const { id, at } of used.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
        await sql.run('UPDATE api_keys SET last_used_at = $2 WHERE id = $1', [id, at])
      }
    },
    restore: (change) => restore(sql, change),
    probeWrite: async () => {
      await sql.run(
        `INSERT INTO write_probe (id, at) VALUES (1, $1)
         ON CONFLICT (id) DO UPDATE SET at = excluded.at`,
        [sql.now],
      )
    },
    sealingKeys: () => sealingKeys(sql),
    lockSealingKeys: () => lockSealingKeys(sql),
    addSealingKey: (id, sealed) => addSealingKey(sql, id, sealed),
    removeSealingKey: async (id) => {
      await sql.run('DELETE FROM sealing_keys WHERE id = $1', [id])
    },
    sealedSample: (keyId) => sealedSample(sql, keyId),
    takeAttention: async (limit) => {
      const rows = await sql.all<{ endpoint_id: string; tenant_id: string; why: string }>(
        `DELETE FROM attention WHERE endpoint_id IN (
           SELECT endpoint_id FROM attention ORDER BY at LIMIT $1${forUpdate(sql, 'SKIP LOCKED')}
         ) RETURNING endpoint_id, tenant_id, why`,
        [limit],
      )
      return rows.map(
        ({ endpoint_id, tenant_id, why }): Attention => ({
          endpointId: endpoint_id,
          tenantId: tenant_id,
          why,
        }),
      )
    },
    prune: (tenant, limit) => prune(sql, tenant, limit),
    pruneExcess: (tenant, most) => pruneExcess(sql, tenant, most),
    pruneTraces: async (before, limit) =>
      (await sql.run(
        `DELETE FROM claims WHERE claim_id IN
           (SELECT claim_id FROM claims WHERE at < $1 ORDER BY at LIMIT $2)`,
        [before, limit],
      )) +
      (await sql.run(
        `DELETE FROM idempotency WHERE (tenant_id, request_key) IN (SELECT tenant_id, request_key
           FROM idempotency WHERE created_at < $1 ORDER BY created_at LIMIT $2)`,
        [before, limit],
      )) +
      (await sql.run(
        `DELETE FROM log_outs WHERE (tenant_id, session_id) IN (SELECT tenant_id, session_id
           FROM log_outs WHERE expires_at < $1 ORDER BY expires_at LIMIT $2)`,
        [before, limit],
      )),
  }
}

/** Several processes may count the same tenants: of those that come at once, one goes first. */
async function insertTenantWithin(sql: Sql, tenant: Tenant, maxTenants: number): Promise<boolean> {
  if (sql.dialect === 'postgres') await sql.run('LOCK TABLE tenants IN EXCLUSIVE MODE')
  const text = 'SELECT 1 AS one FROM tenants ORDER BY tenant_id LIMIT 1 OFFSET $1'
  if ((await first(sql, text, [maxTenants - 1])) !== null) return false
  await insertTenant(sql, tenant)
  return true
}

async function insertTenant(sql: Sql, tenant: Tenant): Promise<void> {
  const { id, name, createdAt, quotas, retention } = tenant
  await sql.run(
    `INSERT INTO tenants (tenant_id, name, created_at, quotas, retention)
     VALUES ($1, $2, $3, $4, $5)`,
    [id, name, createdAt, JSON.stringify(quotas), JSON.stringify(retention)],
  )
}

/** By age through the tenant's index. Runs that have not ended are left alone. */
async function prune(sql: Sql, { id, retention }: Tenant, limit: number): Promise<Pruned> {
  const oldRuns = sql.now - retention.runDays * dayMs
  const runs = await sql.run(
    `DELETE FROM runs WHERE (endpoint_id, scheduled_for) IN (
       SELECT endpoint_id, scheduled_for FROM runs
       WHERE tenant_id = $1 AND scheduled_for < $2 AND status NOT IN ('pending', 'running')
       ORDER BY scheduled_for LIMIT $3)`,
    [id, oldRuns, limit],
  )
  const bodies = await pruneBodies(sql, id, sql.now - retention.bodyDays * dayMs, limit)
  const sessions = await sql.run(
    `DELETE FROM planner_sessions WHERE id IN (SELECT id FROM planner_sessions
       WHERE tenant_id = $1 AND started_at < $2 ORDER BY id LIMIT $3)`,
    [id, oldRuns, limit],
  )
  const deleted = await pruneDeleted(sql, id, oldRuns, limit)
  return { runs, bodies, others: sessions + deleted }
}

/**
 * From where the last batch ended: rows without a body are not looked at again and again. Runs of
 * the last day are, since an outcome may be written long after the instant that its run is for.
 */
async function pruneBodies(
  sql: Sql,
  tenantId: string,
  before: number,
  limit: number,
): Promise<number> {
  const done = `(SELECT bodies_pruned_before FROM tenants WHERE tenant_id = $1)`
  const emptied = await sql.all<{ scheduled_for: number }>(
    `UPDATE runs SET body = NULL WHERE (endpoint_id, scheduled_for) IN (
       SELECT endpoint_id, scheduled_for FROM runs
       WHERE tenant_id = $1 AND scheduled_for >= ${done} AND scheduled_for < $2
         AND body IS NOT NULL
       ORDER BY scheduled_for LIMIT $3)
     RETURNING scheduled_for`,
    [tenantId, before, limit],
  )
  const isDone = emptied.length < limit
  const through = isDone ? before : Math.max(...emptied.map((row) => row.scheduled_for))
  await sql.run(
    `UPDATE tenants SET bodies_pruned_before = $2
     WHERE tenant_id = $1 AND bodies_pruned_before < $2`,
    [tenantId, Math.min(through, sql.now - dayMs)],
  )
  return emptied.length
}
