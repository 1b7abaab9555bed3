import type { SecretValue, SigningSecret } from '../../domain/index.js'
import { pageOf } from '../page.js'
import type { SecretRows } from '../tenant-transaction.js'
import { Conditions } from './conditions.js'
import { first, forUpdate, type Sql } from './sql.js'

interface SecretRow {
  readonly id: string
  readonly tenant_id: string
  readonly name: string
  readonly version: number
  readonly created_at: number
  readonly updated_at: number
  readonly sealed_values: string
}

function secretOf(row: SecretRow): SigningSecret {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    name: row.name,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    values: JSON.parse(row.sealed_values) as SecretValue[],
  }
}

/** `onChange` gets every change, so that signers learn of each. */
export function secretTable(
  sql: Sql,
  tenantId: string,
  onChange: (name: string) => void,
): SecretRows {
  const find = async (name: string, lock: string): Promise<SigningSecret | null> => {
    const text = `SELECT * FROM secrets WHERE tenant_id = $1 AND name = $2${lock}`
    const row = await first<SecretRow>(sql, text, [tenantId, name])
    return row && secretOf(row)
  }
  return {
    list: async (request) => {
      const where = new Conditions().and('tenant_id = ?', tenantId)
      if (request.after !== null) where.and('name > ?', request.after)
      const limit = where.add(request.limit + 1)
      const text = `SELECT * FROM secrets WHERE ${where.text} ORDER BY name LIMIT ${limit}`
      const rows = await sql.all<SecretRow>(text, where.parameters)
      return pageOf(rows.map(secretOf), request, ({ name }) => name)
    },
    get: async (name) => {
      await lockName(sql, tenantId, name)
      return find(name, forUpdate(sql))
    },
    read: (name) => find(name, ''),
    put: async (secret) => {
      await sql.run(
        `INSERT INTO secrets (tenant_id, name, id, version, created_at, updated_at, sealed_values)
         VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT (tenant_id, name) DO UPDATE SET version = excluded.version,
           updated_at = excluded.updated_at, sealed_values = excluded.sealed_values`,
        [
          tenantId,
          secret.name,
          secret.id,
          secret.version,
          secret.createdAt,
          secret.updatedAt,
          JSON.stringify(secret.values),
        ],
      )
      onChange(secret.name)
    },
    delete: async (name) => {
      const text = 'DELETE FROM secrets WHERE tenant_id = $1 AND name = $2'
      const isGone = (await sql.run(text, [tenantId, name])) === 1
      if (isGone) onChange(name)
      return isGone
    },
  }
}

/**
 * A secret that is not there yet has no row to lock: of two that make it at once, each would show a
 * value, and one of the values would be lost. SQLite has one writer anyway.
 */
async function lockName(sql: Sql, tenantId: string, name: string): Promise<void> {
  if (sql.dialect === 'sqlite') return
  const text = `SELECT pg_advisory_xact_lock(hashtext('kron.secrets'), hashtext($1))`
  await sql.all(text, [`${tenantId} ${name}`])
}
