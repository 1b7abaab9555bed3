import { monthOf, type Quotas, type Retention, type Tenant, unlimited } from '../../domain/index.js'
import type { TenantRows } from '../tenant-transaction.js'
import { lockPlansInOrder } from './lock-plans.js'
import { first, forUpdate, type Sql } from './sql.js'
import { countSystemUsage } from './system-usage.js'

export interface TenantRow {
  readonly tenant_id: string
  readonly name: string
  readonly created_at: number
  readonly quotas: string
  readonly retention: string
  readonly endpoint_count: number
  readonly suspended_at: number | null
}

export function tenantOf(row: TenantRow): Tenant {
  return {
    id: row.tenant_id,
    name: row.name,
    createdAt: row.created_at,
    // One that was written before a quota existed has no limit of it.
    quotas: { ...unlimited, ...(JSON.parse(row.quotas) as Partial<Quotas>) },
    retention: JSON.parse(row.retention) as Retention,
    ...(row.suspended_at !== null && { suspendedAt: row.suspended_at }),
  }
}

export function tenantTable(sql: Sql, tenantId: string): TenantRows {
  const find = async (lock: string): Promise<TenantRow> => {
    const text = `SELECT * FROM tenants WHERE tenant_id = $1${lock}`
    const row = await first<TenantRow>(sql, text, [tenantId])
    if (row === null) throw unknownTenant(tenantId)
    return row
  }
  const month = monthOf(sql.now)
  const waiting = `tenant_id = $1 AND source = 'quota' AND held_for IS NULL AND suspended = 0`
  return {
    get: async () => tenantOf(await find('')),
    lock: async () => {
      // Other quotas change these plans, and plans are locked before the tenant.
      await lockPlansInOrder(sql, waiting, [tenantId])
      return tenantOf(await find(forUpdate(sql)))
    },
    suspend: async (at) => {
      const text = 'UPDATE tenants SET suspended_at = $2 WHERE tenant_id = $1'
      await sql.run(text, [tenantId, at])
    },
    update: async ({ name, quotas, retention }) => {
      if (quotas !== undefined) await lockPlansInOrder(sql, waiting, [tenantId])
      // What is not given is not written: it may be somebody else's change of this moment.
      const changed = await sql.run(
        `UPDATE tenants SET quotas = coalesce($2, quotas), retention = coalesce($3, retention),
           name = coalesce($4, name) WHERE tenant_id = $1`,
        [tenantId, jsonOrNull(quotas), jsonOrNull(retention), name ?? null],
      )
      if (changed !== 1) throw unknownTenant(tenantId)
      if (quotas === undefined) return
      await sql.run(
        `UPDATE plans SET next_run_at = $2, wake_at = $2, wake_kind = 'waiting' WHERE ${waiting}`,
        [tenantId, sql.now],
      )
    },
    usage: async () => {
      const { endpoint_count } = await find('')
      const used = await first<{ runs: number; ai_calls: number; ai_tokens: number }>(
        sql,
        `SELECT CAST(coalesce(sum(runs), 0) AS bigint) AS runs,
           CAST(coalesce(sum(ai_calls), 0) AS bigint) AS ai_calls,
           CAST(coalesce(sum(ai_tokens), 0) AS bigint) AS ai_tokens
         FROM usage WHERE tenant_id = $1 AND month = $2`,
        [tenantId, month],
      )
      return {
        month,
        endpoints: endpoint_count,
        runs: used?.runs ?? 0,
        aiCalls: used?.ai_calls ?? 0,
        aiTokens: used?.ai_tokens ?? 0,
      }
    },
    count: async ({ aiCalls = 0, aiTokens = 0 }) => {
      await sql.run(
        `INSERT INTO usage (tenant_id, month, shard, runs, ai_calls, ai_tokens)
         VALUES ($1, $2, 0, 0, $3, $4)
         ON CONFLICT (tenant_id, month, shard) DO UPDATE SET
           ai_calls = usage.ai_calls + excluded.ai_calls,
           ai_tokens = usage.ai_tokens + excluded.ai_tokens`,
        [tenantId, month, aiCalls, aiTokens],
      )
      await countSystemUsage(sql, { aiCalls, aiTokens })
    },
  }
}

const unknownTenant = (tenantId: string): Error => new Error(`tenant ${tenantId} does not exist`)

const jsonOrNull = (value: Quotas | Retention | undefined): string | null =>
  value === undefined ? null : JSON.stringify(value)
