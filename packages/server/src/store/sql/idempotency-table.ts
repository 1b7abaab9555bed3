import type { IdempotencyRows } from '../tenant-transaction.js'
import { first, forUpdate, type Sql } from './sql.js'

interface AnswerRow {
  readonly request_hash: string | null
  readonly status: number
  readonly headers: string
  readonly body: string
}

export function idempotencyTable(sql: Sql, tenantId: string): IdempotencyRows {
  return {
    get: async (key) => {
      // The row is inserted before it is read: a second request with the same key waits here for
      // the first one to commit, and then finds its answer.
      await sql.run(
        `INSERT INTO idempotency (tenant_id, request_key, created_at) VALUES ($1, $2, $3)
         ON CONFLICT DO NOTHING`,
        [tenantId, key, sql.now],
      )
      const text = `SELECT request_hash, status, headers, body FROM idempotency
        WHERE tenant_id = $1 AND request_key = $2${forUpdate(sql)}`
      const row = await first<AnswerRow>(sql, text, [tenantId, key])
      if (row === null || row.request_hash === null) return null
      const { request_hash: requestHash, status, headers, body } = row
      return { requestHash, status, body, headers: JSON.parse(headers) as Record<string, string> }
    },
    put: async (key, { requestHash, status, headers, body }) => {
      await sql.run(
        `UPDATE idempotency SET request_hash = $3, status = $4, headers = $5, body = $6
         WHERE tenant_id = $1 AND request_key = $2`,
        [tenantId, key, requestHash, status, JSON.stringify(headers), body],
      )
    },
  }
}
