import type { LogOutRows } from '../tenant-transaction.js'
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
