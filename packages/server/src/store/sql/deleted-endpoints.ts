import type { Sql } from './sql.js'

/**
 * Runs outlive their endpoint, and name nothing but it. So that a job's history stays whole, the job
 * of each deleted endpoint that has run is kept for as long as runs are.
 */
export async function keepDeleted(
  sql: Sql,
  tenantId: string,
  of: { readonly endpointId: string } | { readonly jobId: string },
): Promise<void> {
  const [column, value] = 'jobId' in of ? ['job_id', of.jobId] : ['id', of.endpointId]
  await sql.run(
    `INSERT INTO deleted_endpoints (tenant_id, job_id, endpoint_id, deleted_at)
     SELECT tenant_id, job_id, id, CAST($3 AS bigint) FROM endpoints
     WHERE tenant_id = $1 AND ${column} = $2
       AND EXISTS (SELECT 1 FROM runs WHERE runs.endpoint_id = endpoints.id)
     ON CONFLICT (tenant_id, endpoint_id) DO UPDATE SET deleted_at = excluded.deleted_at`,
    [tenantId, value, sql.now],
  )
}

/** Those whose runs are all older than what is kept. */
export function pruneDeleted(
  sql: Sql,
  tenantId: string,
  before: number,
  limit: number,
): Promise<number> {
  const key = 'tenant_id, endpoint_id'
  return sql.run(
    `DELETE FROM deleted_endpoints WHERE (${key}) IN (SELECT ${key} FROM deleted_endpoints
       WHERE tenant_id = $1 AND deleted_at < $2 ORDER BY deleted_at LIMIT $3)`,
    [tenantId, before, limit],
  )
}
