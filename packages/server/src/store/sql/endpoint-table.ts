import {
  defaultAdaptive,
  defaultDefinition,
  type Endpoint,
  type EndpointDefinition,
  type EndpointWithPlan,
  type Plan,
} from '../../domain/index.js'
import { largePageBytes } from '../page.js'
import type { EndpointRows } from '../tenant-transaction.js'
import { Conditions } from './conditions.js'
import { keepDeleted } from './deleted-endpoints.js'
import { lockPlansInOrder } from './lock-plans.js'
import { type PlanRow, planColumnNames, planOf } from './plan-row.js'
import { deletePlans, insertPlan } from './plan-table.js'
import { first, type Sql } from './sql.js'

export interface EndpointRow {
  readonly id: string
  readonly tenant_id: string
  readonly job_id: string
  readonly name: string
  readonly version: number
  readonly created_at: number
  readonly updated_at: number
  readonly archived_at: number | null
  readonly definition: string
  /** null in rows of programs before 0.2, which seeded by the id. */
  readonly identity: string | null
}

export function endpointOf(row: EndpointRow): Endpoint {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    jobId: row.job_id,
    identity: row.identity ?? row.id,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    archivedAt: row.archived_at,
    definition: definitionOf(row.definition),
  }
}

const defaultFields = Object.keys(defaultDefinition)

const adaptiveFields = Object.keys(defaultAdaptive)

/** What an older program knew nothing of has its default. */
function definitionOf(text: string): EndpointDefinition {
  const stored = JSON.parse(text) as EndpointDefinition
  // Not copied where it is whole, as most are: workers read many at once.
  const isWhole =
    defaultFields.every((name) => name in stored) &&
    adaptiveFields.every((name) => name in stored.adaptive)
  if (isWhole) return stored
  const adaptive = { ...defaultAdaptive, ...stored.adaptive }
  return { ...defaultDefinition, ...stored, adaptive }
}

/** Columns of both tables side by side; those of the plan get a prefix. */
const columns = `e.id, e.tenant_id, e.job_id, e.name, e.version, e.created_at, e.updated_at,
  e.archived_at, e.definition, e.identity, ${planColumnNames.map((name) => `p.${name} AS plan_${name}`).join(', ')}`
const both = 'endpoints e JOIN plans p ON p.endpoint_id = e.id'

type BothRow = EndpointRow & Record<`plan_${string}`, unknown>

function bothOf(row: BothRow): EndpointWithPlan {
  const plan: Record<string, unknown> = {}
  for (const name of planColumnNames) plan[name] = row[`plan_${name}`]
  return { endpoint: endpointOf(row), plan: planOf(plan as unknown as PlanRow) }
}

export function endpointTable(
  sql: Sql,
  tenantId: string,
  wakeFor: (plan: Plan) => void,
): EndpointRows {
  const read = async (id: string): Promise<EndpointWithPlan | null> => {
    const text = `SELECT ${columns} FROM ${both} WHERE e.tenant_id = $1 AND e.id = $2`
    const row = await first<BothRow>(sql, text, [tenantId, id])
    return row && bothOf(row)
  }
  return {
    get: async (id) => {
      // Read by a second statement: the first one sees the endpoint as it was before it waited.
      await lockPlansInOrder(sql, 'tenant_id = $1 AND endpoint_id = $2', [tenantId, id])
      return read(id)
    },
    read,
    list: async (request) => {
      const where = new Conditions().and('e.tenant_id = ?', tenantId)
      if (request.after !== null) where.and('e.id > ?', request.after)
      if (request.jobId !== undefined) where.and('e.job_id = ?', request.jobId)
      if (request.archived !== undefined) {
        where.and(`e.archived_at IS ${request.archived ? 'NOT ' : ''}NULL`)
      }
      const text = pageText(where, request.limit)
      const rows = await sql.all<BothRow & { found: number }>(text, where.parameters)
      const items = rows.slice(0, request.limit).map(bothOf)
      const isLast = items.length === (rows[0]?.found ?? 0)
      return { items, next: isLast ? null : items.at(-1)!.endpoint.id }
    },
    insert: async (endpoint, plan) => {
      if (!(await hasJob(sql, tenantId, endpoint.jobId))) return false
      const made = await sql.run(
        `INSERT INTO endpoints
           (id, tenant_id, job_id, name, version, created_at, updated_at, archived_at, definition,
            identity)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING`,
        [
          endpoint.id,
          tenantId,
          endpoint.jobId,
          endpoint.definition.name,
          endpoint.version,
          endpoint.createdAt,
          endpoint.updatedAt,
          endpoint.archivedAt,
          JSON.stringify(endpoint.definition),
          endpoint.identity,
        ],
      )
      if (made !== 1) return false
      await insertPlan(sql, { ...plan, tenantId, endpointId: endpoint.id })
      wakeFor(plan)
      if (endpoint.archivedAt === null) await countEndpoints(sql, tenantId, 1)
      return true
    },
    update: async (endpoint) => {
      const text = 'SELECT archived_at FROM endpoints WHERE tenant_id = $1 AND id = $2'
      const old = await first<{ archived_at: number | null }>(sql, text, [tenantId, endpoint.id])
      if (old === null || (await isNameTaken(sql, tenantId, endpoint))) return false
      await sql.run(
        `UPDATE endpoints SET name = $3, version = $4, updated_at = $5, archived_at = $6,
           definition = $7 WHERE tenant_id = $1 AND id = $2`,
        [
          tenantId,
          endpoint.id,
          endpoint.definition.name,
          endpoint.version,
          endpoint.updatedAt,
          endpoint.archivedAt,
          JSON.stringify(endpoint.definition),
        ],
      )
      const change = Number(endpoint.archivedAt === null) - Number(old.archived_at === null)
      if (change !== 0) await countEndpoints(sql, tenantId, change)
      return true
    },
    delete: async (id) => {
      await keepDeleted(sql, tenantId, { endpointId: id })
      const text = `DELETE FROM endpoints WHERE tenant_id = $1 AND id = $2 RETURNING archived_at`
      const gone = await first<{ archived_at: number | null }>(sql, text, [tenantId, id])
      if (gone === null) return
      await deletePlans(sql, 'tenant_id = $1 AND endpoint_id = $2', [tenantId, id])
      if (gone.archived_at === null) await countEndpoints(sql, tenantId, -1)
    },
  }
}

/**
 * Sizes are added up first, and only rows that fit are read: definitions hold bodies of requests.
 * One more than the limit is found if there is one, which tells whether there is a next page.
 */
function pageText(where: Conditions, limit: number): string {
  return `WITH sized AS (
      SELECT e.id, octet_length(e.definition) AS bytes FROM endpoints e
      WHERE ${where.text} ORDER BY e.id LIMIT ${where.add(limit + 1)}
    ), laid AS (
      SELECT id, SUM(bytes) OVER (ORDER BY id) - bytes AS bytes_before, COUNT(*) OVER () AS found
      FROM sized
    )
    SELECT ${columns}, l.found FROM ${both} JOIN laid l ON l.id = e.id
    WHERE l.bytes_before < ${where.add(largePageBytes)} ORDER BY e.id`
}

async function countEndpoints(sql: Sql, tenantId: string, change: number): Promise<void> {
  await sql.run('UPDATE tenants SET endpoint_count = endpoint_count + $2 WHERE tenant_id = $1', [
    tenantId,
    change,
  ])
}

/** Names are unique within a job: in a foreign one an endpoint would take its owner's names. */
async function hasJob(sql: Sql, tenantId: string, jobId: string): Promise<boolean> {
  const text = 'SELECT id FROM jobs WHERE tenant_id = $1 AND id = $2'
  return (await first(sql, text, [tenantId, jobId])) !== null
}

async function isNameTaken(sql: Sql, tenantId: string, endpoint: Endpoint): Promise<boolean> {
  if (endpoint.archivedAt !== null) return false
  const text = `SELECT id FROM endpoints
    WHERE tenant_id = $1 AND job_id = $2 AND name = $3 AND id <> $4 AND archived_at IS NULL`
  const { jobId, definition, id } = endpoint
  return (await first(sql, text, [tenantId, jobId, definition.name, id])) !== null
}
