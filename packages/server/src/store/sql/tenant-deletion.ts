import { lockPlansInOrder } from './lock-plans.js'
import { deletePlans } from './plan-table.js'
import type { Sql } from './sql.js'

/** What a tenant has beside endpoints and their plans, with the columns that tell rows apart. */
const others = [
  // Also of endpoints that were deleted before.
  ['attention', 'endpoint_id'],
  ['jobs', 'id'],
  ['runs', 'endpoint_id, scheduled_for'],
  ['planner_sessions', 'id'],
  ['idempotency', 'tenant_id, request_key'],
  ['log_outs', 'tenant_id, session_id'],
  ['deleted_endpoints', 'tenant_id, endpoint_id'],
  ['api_keys', 'id'],
  ['secrets', 'tenant_id, name'],
  ['usage', 'tenant_id, month, shard'],
] as const

/** Up to `limit` rows of the first table that has any; 0 when all are gone. */
export async function deleteRowsOf(sql: Sql, tenantId: string, limit: number): Promise<number> {
  const endpoints = await deleteEndpoints(sql, tenantId, limit)
  if (endpoints > 0) return endpoints
  for (const [table, key] of others) {
    const gone = await sql.run(
      `DELETE FROM ${table} WHERE (${key}) IN
         (SELECT ${key} FROM ${table} WHERE tenant_id = $1 LIMIT $2)`,
      [tenantId, limit],
    )
    if (gone > 0) return gone
  }
  // That it was deleted, when and by whom, is all that is left of it.
  return sql.run(
    `DELETE FROM audit WHERE id IN (SELECT id FROM audit
       WHERE tenant_id = $1 AND action <> 'tenant.delete' ORDER BY id LIMIT $2)`,
    [tenantId, limit],
  )
}

/** With their plans: one without the other would be neither run nor found. */
async function deleteEndpoints(sql: Sql, tenantId: string, limit: number): Promise<number> {
  const found = 'SELECT id FROM endpoints WHERE tenant_id = $1 ORDER BY id LIMIT $2'
  const parameters = [tenantId, limit]
  await lockPlansInOrder(sql, `endpoint_id IN (${found})`, parameters)
  await deletePlans(sql, `endpoint_id IN (${found})`, parameters)
  return sql.run(`DELETE FROM endpoints WHERE id IN (${found})`, parameters)
}
