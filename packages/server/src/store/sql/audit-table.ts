import { type AuditEntry, newId } from '../../domain/index.js'
import { pageOf } from '../page.js'
import type { AuditRows } from '../tenant-transaction.js'
import { insertOne, type NewRows, type RowOf } from './columns.js'
import { Conditions } from './conditions.js'
import type { Sql } from './sql.js'

export const auditColumns = {
  id: 'text',
  tenant_id: 'text',
  at: 'bigint',
  actor: 'text',
  action: 'text',
  subject: 'text',
  before_change: 'text or null',
  after_change: 'text or null',
  reason: 'text or null',
} as const

type AuditRow = RowOf<typeof auditColumns>

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

/** A change that is to be written down. */
export type NewAudit = Omit<AuditEntry, 'at'>

export const newAudits: NewRows<typeof auditColumns, NewAudit, { readonly now: number }> = {
  each: {
    id: ({ id }) => id,
    tenant_id: ({ tenantId }) => tenantId,
    actor: ({ actor }) => actor,
    action: ({ action }) => action,
    subject: ({ subject }) => subject,
    before_change: ({ before }) => textOf(before),
    after_change: ({ after }) => textOf(after),
    reason: ({ reason }) => reason,
  },
  common: { at: ({ now }) => now },
}

const insertAudit = insertOne('audit', newAudits, (n) => `$${n}`, 'error')

export function auditTable(sql: Sql, tenantId: string): AuditRows {
  return {
    append: async (entry) => {
      const audit = { ...entry, id: newId('aud', sql.now), tenantId }
      await sql.run(insertAudit.text, insertAudit.values(audit, sql))
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
