import type { Run, RunKey } from '../../domain/index.js'
import type { RunRows } from '../tenant-transaction.js'
import { insertOne } from './columns.js'
import { lockPlansInOrder } from './lock-plans.js'
import { listRuns } from './run-history.js'
import { type RunKeyRow, type RunRow, runKeyOf, runOf, selectedRun, wholeRuns } from './run-row.js'
import { first, forUpdate, type Sql } from './sql.js'
import { unpackBody } from './stored-body.js'

const insertRun = insertOne('runs', wholeRuns, (n) => `$${n}`)

export function runTable(sql: Sql, tenantId: string): RunRows {
  const ofRun = 'tenant_id = $1 AND endpoint_id = $2 AND scheduled_for = $3'
  const keyOf = (key: RunKey) => [tenantId, key.endpointId, key.scheduledFor]
  const find = async (key: RunKey, lock: string): Promise<Run | null> => {
    const text = `SELECT ${selectedRun} FROM runs WHERE ${ofRun}${lock}`
    const row = await first<RunRow>(sql, text, keyOf(key))
    return row && runOf(row)
  }
  return {
    get: (key) => find(key, forUpdate(sql)),
    read: (key) => find(key, ''),
    list: (request) => listRuns(sql, tenantId, request),
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
      const rows = await sql.all<RunKeyRow>(
        `SELECT endpoint_id, held_for AS scheduled_for FROM plans
           WHERE ${endpoints} AND held_for IS NOT NULL
         UNION SELECT endpoint_id, requested_at FROM plans
           WHERE ${endpoints} AND requested_at IS NOT NULL
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
      return (await sql.run(insertRun.text, insertRun.values({ ...run, tenantId }, null))) === 1
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
