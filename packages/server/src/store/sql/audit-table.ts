import { type AuditEntry, newId } from '../../domain/index.js'
import { pageOf } from '../page.js'
import type { AuditRows } from '../tenant-transaction.js'
import { Conditions } from './conditions.js'
import type { Sql } from './sql.js'

interface AuditRow {
  readonly id: string
  readonly tenant_id: string
  readonly at: number
  readonly actor: string
  readonly action: string
  readonly subject: string
  readonly before_change: string | null
  readonly after_change: string | null
  readonly reason: string | null
}

const parsed = (text: string | null): unknown => (text === null ? null : JSON.parse(text))
const textOf = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value)

function entryOf(row: AuditRow): AuditEntry {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    at: row.at,
    actor: row.actor,
    action: row.action,
    subject: row.subject,
    before: parsed(row.before_change),
    after: parsed(row.after_change),
    reason: row.reason,
  }
}

export function auditTable(sql: Sql, tenantId: string): AuditRows {
  return {
    append: async (entry) => {
      await sql.run(
        `INSERT INTO audit
           (id, tenant_id, at, actor, action, subject, before_change, after_change, reason)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        [
          newId('aud', sql.now),
          tenantId,
          sql.now,
          entry.actor,
          entry.action,
          entry.subject,
          textOf(entry.before),
          textOf(entry.after),
          entry.reason,
        ],
      )
    },
    list: async (request) => {
      const where = new Conditions().and('tenant_id = ?', tenantId)
      if (request.after !== null) where.and('id < ?', request.after)
      if (request.subject !== undefined) where.and('subject = ?', request.subject)
      const limit = where.add(request.limit + 1)
      const text = `SELECT * FROM audit WHERE ${where.text} ORDER BY id DESC LIMIT ${limit}`
      const rows = await sql.all<AuditRow>(text, where.parameters)
      return pageOf(rows.map(entryOf), request, ({ id }) => id)
    },
  }
}
