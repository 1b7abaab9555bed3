import type { ApiKey, Scope } from '../../domain/index.js'
import { pageOf } from '../page.js'
import type { KeyRows } from '../tenant-transaction.js'
import { anyOf, Conditions, inChunks } from './conditions.js'
import { first, type Sql } from './sql.js'

export interface KeyRow {
  readonly id: string
  readonly tenant_id: string
  readonly name: string
  readonly prefix: string
  readonly scopes: string
  readonly created_at: number
  readonly expires_at: number | null
  readonly revoked_at: number | null
  readonly last_used_at: number | null
}

/** Everything but the hash, which never leaves the table. */
export const keyColumns = `id, tenant_id, name, prefix, scopes, created_at, expires_at, revoked_at,
  last_used_at`

export function keyOf(row: KeyRow): ApiKey {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    name: row.name,
    prefix: row.prefix,
    scopes: row.scopes.split(' ') as Scope[],
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
  }
}

export function keyTable(sql: Sql, tenantId: string): KeyRows {
  return {
    list: async (request) => {
      const where = new Conditions().and('tenant_id = ?', tenantId)
      if (request.after !== null) where.and('id > ?', request.after)
      const limit = where.add(request.limit + 1)
      const text = `SELECT ${keyColumns} FROM api_keys WHERE ${where.text}
        ORDER BY id LIMIT ${limit}`
      const rows = await sql.all<KeyRow>(text, where.parameters)
      return pageOf(rows.map(keyOf), request, ({ id }) => id)
    },
    get: async (id) => {
      const text = `SELECT ${keyColumns} FROM api_keys WHERE tenant_id = $1 AND id = $2`
      const row = await first<KeyRow>(sql, text, [tenantId, id])
      return row && keyOf(row)
    },
    insert: async (key, hash) => {
      await sql.run(
        `INSERT INTO api_keys (id, tenant_id, name, prefix, hash, scopes, created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [
          key.id,
          tenantId,
          key.name,
          key.prefix,
          hash,
          key.scopes.join(' '),
          key.createdAt,
          key.expiresAt,
        ],
      )
    },
    revoke: async (id, at) => {
      await sql.run(
        'UPDATE api_keys SET revoked_at = coalesce(revoked_at, $3) WHERE tenant_id = $1 AND id = $2',
        [tenantId, id, at],
      )
    },
  }
}

export async function usableKeys(sql: Sql, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await inChunks(ids, (chunk) => {
    const where = new Conditions().and(...anyOf('k.id', chunk))
    const now = where.add(sql.now)
    const text = `SELECT k.id FROM api_keys k JOIN tenants t ON t.tenant_id = k.tenant_id
      WHERE ${where.text} AND k.revoked_at IS NULL AND t.suspended_at IS NULL
        AND (k.expires_at IS NULL OR k.expires_at > ${now})`
    return sql.all<{ id: string }>(text, where.parameters)
  })
  return new Set(rows.map(({ id }) => id))
}
