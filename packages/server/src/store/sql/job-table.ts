import type { Job, JobStatus } from '../../domain/index.js'
import { pageOf } from '../page.js'
import type { JobRows } from '../tenant-transaction.js'
import { Conditions } from './conditions.js'
import { keepDeleted } from './deleted-endpoints.js'
import { lockPlansInOrder } from './lock-plans.js'
import { deletePlans } from './plan-table.js'
import { first, forUpdate, type Sql } from './sql.js'

interface JobRow {
  readonly id: string
  readonly tenant_id: string
  readonly name: string
  readonly description: string | null
  readonly status: string
  readonly version: number
  readonly created_at: number
  readonly updated_at: number
}

function jobOf(row: JobRow): Job {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    name: row.name,
    description: row.description,
    status: row.status as JobStatus,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

export function jobTable(sql: Sql, tenantId: string): JobRows {
  const find = async (id: string, lock: string): Promise<Job | null> => {
    const text = `SELECT * FROM jobs WHERE tenant_id = $1 AND id = $2${lock}`
    const row = await first<JobRow>(sql, text, [tenantId, id])
    return row && jobOf(row)
  }
  return {
    get: (id) => find(id, forUpdate(sql)),
    read: (id) => find(id, ''),
    list: async (request) => {
      const where = new Conditions().and('tenant_id = ?', tenantId)
      if (request.after !== null) where.and('id > ?', request.after)
      if (request.status !== undefined) where.and('status = ?', request.status)
      const limit = where.add(request.limit + 1)
      const text = `SELECT * FROM jobs WHERE ${where.text} ORDER BY id LIMIT ${limit}`
      const rows = await sql.all<JobRow>(text, where.parameters)
      return pageOf(rows.map(jobOf), request, ({ id }) => id)
    },
    insert: async (job) => {
      const made = await sql.run(
        `INSERT INTO jobs (id, tenant_id, name, description, status, version, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING`,
        [
          job.id,
          tenantId,
          job.name,
          job.description,
          job.status,
          job.version,
          job.createdAt,
          job.updatedAt,
        ],
      )
      return made === 1
    },
    update: async (job) => {
      if (job.status !== 'archived' && (await isNameTaken(sql, tenantId, job))) return false
      const changed = await sql.run(
        `UPDATE jobs SET name = $3, description = $4, status = $5, version = $6, updated_at = $7
         WHERE tenant_id = $1 AND id = $2`,
        [tenantId, job.id, job.name, job.description, job.status, job.version, job.updatedAt],
      )
      return changed === 1
    },
    delete: async (id) => {
      const ofJob = `tenant_id = $1 AND endpoint_id IN
        (SELECT id FROM endpoints WHERE tenant_id = $1 AND job_id = $2)`
      await lockPlansInOrder(sql, ofJob, [tenantId, id])
      await deletePlans(sql, ofJob, [tenantId, id])
      await sql.run(
        `UPDATE tenants SET endpoint_count = endpoint_count - (SELECT count(*) FROM endpoints
           WHERE tenant_id = $1 AND job_id = $2 AND archived_at IS NULL) WHERE tenant_id = $1`,
        [tenantId, id],
      )
      await keepDeleted(sql, tenantId, { jobId: id })
      await sql.run('DELETE FROM endpoints WHERE tenant_id = $1 AND job_id = $2', [tenantId, id])
      await sql.run('DELETE FROM jobs WHERE tenant_id = $1 AND id = $2', [tenantId, id])
    },
  }
}

async function isNameTaken(sql: Sql, tenantId: string, { id, name }: Job): Promise<boolean> {
  const text = `SELECT id FROM jobs
    WHERE tenant_id = $1 AND name = $2 AND id <> $3 AND status <> 'archived'`
  return (await first(sql, text, [tenantId, name, id])) !== null
}
