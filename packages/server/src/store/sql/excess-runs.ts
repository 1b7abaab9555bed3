import type { Tenant } from '../../domain/index.js'
import type { ExcessBounds, ExcessPruned } from '../system-transaction.js'
import { first, forUpdate, type Sql } from './sql.js'

/** The next endpoints, each with the newest of its runs that is one too many. */
export const nextEndpoints = `SELECT e.id, (SELECT k.scheduled_for FROM runs k
     WHERE k.endpoint_id = e.id ORDER BY k.scheduled_for DESC LIMIT 1 OFFSET $3) AS excess_through
   FROM endpoints e WHERE e.tenant_id = $1 AND e.id > $2 ORDER BY e.id LIMIT $4`

/**
 * The oldest first. Locked before they are counted: rows that somebody else removes meanwhile are
 * then replaced by others, and fewer than the limit means that none are left. Materialized, since
 * PostgreSQL may ask a sub-select several times, and after each deletion it would find others.
 */
export const deleteThrough = (sql: Pick<Sql, 'dialect'>): string =>
  `WITH excess AS MATERIALIZED (
     SELECT scheduled_for FROM runs WHERE endpoint_id = $1 AND scheduled_for <= $2
       AND status NOT IN ('pending', 'running')
     ORDER BY scheduled_for LIMIT $3${forUpdate(sql)})
   DELETE FROM runs WHERE endpoint_id = $1
     AND scheduled_for IN (SELECT scheduled_for FROM excess)`

/** One bounded step of a pass through the endpoints of a tenant. */
export async function pruneExcess(
  sql: Sql,
  { id: tenantId, retention }: Tenant,
  most: ExcessBounds,
): Promise<ExcessPruned> {
  const from = await passedThrough(sql, tenantId)
  const next = await sql.all<{ id: string; excess_through: number | null }>(nextEndpoints, [
    tenantId,
    from,
    retention.runsPerEndpoint,
    most.endpoints,
  ])
  let [through, runs, endpoints] = [from, 0, 0]
  for (const { id, excess_through } of next) {
    if (excess_through !== null) {
      runs += await sql.run(deleteThrough(sql), [id, excess_through, most.runs - runs])
    }
    // It may have more of them: the next step begins with it again.
    if (runs >= most.runs) break
    through = id
    endpoints++
  }
  const isPassEnd = endpoints === next.length && next.length < most.endpoints
  await passThrough(sql, tenantId, from, isPassEnd ? '' : through)
  return { runs, endpoints, isPassEnd }
}

async function passedThrough(sql: Sql, tenantId: string): Promise<string> {
  const text = 'SELECT excess_pruned_through AS id FROM tenants WHERE tenant_id = $1'
  return (await first<{ id: string }>(sql, text, [tenantId]))?.id ?? ''
}

/** Not when another process has moved on meanwhile: its step would be done twice. */
async function passThrough(sql: Sql, tenantId: string, from: string, to: string): Promise<void> {
  if (from === to) return
  const text = `UPDATE tenants SET excess_pruned_through = $3
    WHERE tenant_id = $1 AND excess_pruned_through = $2`
  await sql.run(text, [tenantId, from, to])
}
