import type { PlannerSession } from '../../domain/index.js'
import { pageOf } from '../page.js'
import type { SessionRows } from '../tenant-transaction.js'
import { insertOne, type NewRows, type RowOf } from './columns.js'
import { Conditions } from './conditions.js'
import { first, type Sql } from './sql.js'

export const sessionColumns = {
  id: 'text',
  tenant_id: 'text',
  endpoint_id: 'text',
  started_at: 'bigint',
  session: 'text',
} as const

type SessionRow = Pick<RowOf<typeof sessionColumns>, 'session'>

export const newSessions: NewRows<typeof sessionColumns, PlannerSession, null> = {
  each: {
    id: ({ id }) => id,
    tenant_id: ({ tenantId }) => tenantId,
    endpoint_id: ({ endpointId }) => endpointId,
    started_at: ({ startedAt }) => startedAt,
    session: (session) => JSON.stringify(session),
  },
  common: {},
}

const insertSession = insertOne('planner_sessions', newSessions, (n) => `$${n}`, 'error')

/** Sessions of 0.1 have no suggestions. */
function sessionOf(row: SessionRow): PlannerSession {
  const session = JSON.parse(row.session) as PlannerSession
  return { ...session, suggested: session.suggested ?? [] }
}

export function sessionTable(sql: Sql, tenantId: string): SessionRows {
  return {
    append: async (session) => {
      await sql.run(insertSession.text, insertSession.values({ ...session, tenantId }, null))
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
