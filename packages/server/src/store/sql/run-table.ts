import type { Run, RunKey } from '../../domain/index.js'
import type { RunRows } from '../tenant-transaction.js'
import { Conditions } from './conditions.js'
import { pageOf } from './keyset-page.js'
import { lockPlansInOrder } from './lock-plans.js'
import { isRequested, requestedAt } from './plan-table.js'
import { type RunRow, resultText, runColumns, runKeyOf, runOf } from './run-row.js'
import { first, forUpdate, type Sql } from './sql.js'
import { unpackBody } from './stored-body.js'

const columns = runColumns.join(', ')

/** Newest first: by instant, then by endpoint, which makes the order total. */
const cursorOf = ({ scheduledFor, endpointId }: RunKey): string => `${scheduledFor}.${endpointId}`

function keyOfCursor(cursor: string): RunKey {
  const dot = cursor.indexOf('.')
  return { scheduledFor: Number(cursor.slice(0, dot)), endpointId: cursor.slice(dot + 1) }
}

export function runTable(sql: Sql, tenantId: string): RunRows {
  const ofRun = 'tenant_id = $1 AND endpoint_id = $2 AND scheduled_for = $3'
  const keyOf = (key: RunKey) => [tenantId, key.endpointId, key.scheduledFor]
  const find = async (key: RunKey, lock: string): Promise<Run | null> => {
    const text = `SELECT ${columns} FROM runs WHERE ${ofRun}${lock}`
    const row = await first<RunRow>(sql, text, keyOf(key))
    return row && runOf(row)
  }
  return {
    get: (key) => find(key, forUpdate(sql)),
    read: (key) => find(key, ''),
    list: async (request) => {
      const where = new Conditions().and('tenant_id = ?', tenantId)
      if (request.endpointId !== undefined) where.and('endpoint_id = ?', request.endpointId)
      if (request.jobId !== undefined) {
        where.and(
          'endpoint_id IN (SELECT id FROM endpoints WHERE tenant_id = ? AND job_id = ?)',
          tenantId,
          request.jobId,
        )
      }
      if (request.status !== undefined && request.status.length > 0) {
        const places = request.status.map((status) => where.add(status))
        where.and(`status IN (${places.join(', ')})`)
      }
      if (request.source !== undefined) where.and('source = ?', request.source)
      if (request.from !== undefined) where.and('scheduled_for >= ?', request.from)
      if (request.before !== undefined) where.and('scheduled_for < ?', request.before)
      if (request.after !== null) {
        const { scheduledFor, endpointId } = keyOfCursor(request.after)
        where.and('(scheduled_for, endpoint_id) < (?, ?)', scheduledFor, endpointId)
      }
      const limit = where.add(request.limit + 1)
      const text = `SELECT ${columns} FROM runs WHERE ${where.text}
        ORDER BY scheduled_for DESC, endpoint_id DESC LIMIT ${limit}`
      const rows = await sql.all<RunRow>(text, where.parameters)
      return pageOf(rows.map(runOf), request, cursorOf)
    },
    open: async (of) => {
      const [endpoints, id] =
        'endpointId' in of
          ? ['tenant_id = $1 AND endpoint_id = $2', of.endpointId]
          : [
              `tenant_id = $1 AND endpoint_id IN
                 (SELECT id FROM endpoints WHERE tenant_id = $1 AND job_id = $2)`,
              of.jobId,
            ]
      await lockPlansInOrder(sql, endpoints, [tenantId, id])
      const rows = await sql.all<Pick<RunRow, 'endpoint_id' | 'scheduled_for'>>(
        `SELECT endpoint_id, held_for AS scheduled_for FROM plans
           WHERE ${endpoints} AND held_for IS NOT NULL
         UNION SELECT endpoint_id, ${requestedAt(sql)} FROM plans
           WHERE ${endpoints} AND ${isRequested}
         UNION SELECT endpoint_id, scheduled_for FROM runs
           WHERE ${endpoints} AND overlap_lease IS NOT NULL`,
        [tenantId, id],
      )
      return rows.map(runKeyOf)
    },
    body: async (key) => {
      const text = `SELECT body FROM runs WHERE ${ofRun}`
      const row = await first<{ body: Uint8Array | null }>(sql, text, keyOf(key))
      return row === null || row.body === null ? null : unpackBody(row.body)
    },
    insert: async (run) => {
      // In a foreign endpoint's place it would be a run that its owner can't have any more.
      const owned = 'SELECT id FROM endpoints WHERE tenant_id = $1 AND id = $2'
      if ((await first(sql, owned, [tenantId, run.endpointId])) === null) return false
      const made = await sql.run(
        `INSERT INTO runs (tenant_id, endpoint_id, scheduled_for, period_id, source, status, reason,
           fence, owner, claimed_at, started_at, ended_at, attempts, context, result)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
         ON CONFLICT DO NOTHING`,
        [
          ...keyOf(run),
          run.periodId,
          run.source,
          run.status,
          run.reason,
          run.fence,
          run.owner,
          run.claimedAt,
          run.startedAt,
          run.endedAt,
          run.attempts,
          JSON.stringify(run.context),
          resultText({
            ...(run.error !== null && { error: run.error }),
            ...(run.response !== null && { response: run.response }),
            ...(run.notes.length > 0 && { notes: run.notes }),
          }),
        ],
      )
      return made === 1
    },
    end: async (key, { status, reason, at }) => {
      const ended = await sql.run(
        `UPDATE runs SET status = $4, reason = $5, ended_at = $6, overlap_lease = NULL
         WHERE ${ofRun} AND status IN ('pending', 'running')`,
        [...keyOf(key), status, reason, at],
      )
      return ended === 1
    },
  }
}
