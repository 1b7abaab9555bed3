import type { PlannerSession } from '../../domain/index.js'
import { pageOf } from '../page.js'
import type { SessionRows } from '../tenant-transaction.js'
import { Conditions } from './conditions.js'
import { first, type Sql } from './sql.js'

interface SessionRow {
  readonly session: string
}

/** Sessions of 0.1 have no suggestions. */
function sessionOf(row: SessionRow): PlannerSession {
  const session = JSON.parse(row.session) as PlannerSession
  return { ...session, suggested: session.suggested ?? [] }
}

export function sessionTable(sql: Sql, tenantId: string): SessionRows {
  return {
    append: async (session) => {
      await sql.run(
        `INSERT INTO planner_sessions (id, tenant_id, endpoint_id, started_at, session)
         VALUES ($1, $2, $3, $4, $5)`,
        [
          session.id,
          tenantId,
          session.endpointId,
          session.startedAt,
          JSON.stringify({ ...session, tenantId }),
        ],
      )
    },
    get: async (id) => {
      const text = 'SELECT session FROM planner_sessions WHERE tenant_id = $1 AND id = $2'
      const row = await first<SessionRow>(sql, text, [tenantId, id])
      return row && sessionOf(row)
    },
    list: async (request) => {
      const where = new Conditions().and('tenant_id = ?', tenantId)
      if (request.after !== null) where.and('id < ?', request.after)
      if (request.endpointId !== undefined) where.and('endpoint_id = ?', request.endpointId)
      const limit = where.add(request.limit + 1)
      const text = `SELECT session FROM planner_sessions WHERE ${where.text}
        ORDER BY id DESC LIMIT ${limit}`
      const rows = await sql.all<SessionRow>(text, where.parameters)
      return pageOf(rows.map(sessionOf), request, ({ id }) => id)
    },
  }
}
