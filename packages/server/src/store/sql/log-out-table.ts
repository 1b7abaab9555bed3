import type { SessionKey } from '../system-transaction.js'
import type { LogOutRows } from '../tenant-transaction.js'
import { Conditions, inChunks } from './conditions.js'
import { first, type Sql } from './sql.js'

export function logOutTable(sql: Sql, tenantId: string): LogOutRows {
  return {
    add: async (sessionId, expiresAt) => {
      await sql.run(
        `INSERT INTO log_outs (tenant_id, session_id, expires_at) VALUES ($1, $2, $3)
         ON CONFLICT DO NOTHING`,
        [tenantId, sessionId, expiresAt],
      )
    },
    has: async (sessionId) => {
      const text = 'SELECT 1 AS one FROM log_outs WHERE tenant_id = $1 AND session_id = $2'
      return (await first(sql, text, [tenantId, sessionId])) !== null
    },
  }
}

export async function loggedOut(
  sql: Sql,
  sessions: readonly SessionKey[],
): Promise<ReadonlySet<string>> {
  const rows = await inChunks(sessions, (chunk) => {
    const among = `(tenant_id, session_id) IN (VALUES ${chunk.map(() => '(?, ?)').join(', ')})`
    const values = chunk.flatMap(({ tenantId, id }) => [tenantId, id])
    const where = new Conditions().and(among, ...values)
    const text = `SELECT session_id FROM log_outs WHERE ${where.text}`
    return sql.all<{ session_id: string }>(text, where.parameters)
  })
  return new Set(rows.map(({ session_id }) => session_id))
}
