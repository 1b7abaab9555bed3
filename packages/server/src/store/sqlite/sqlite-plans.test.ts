import type Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migratedDatabase } from '../../../testing/migrated-database.js'
import { everyFilter } from '../../../testing/store/reading-conformance.js'
import { noSystemQuotas } from '../../domain/index.js'
import type { Sql, SqlValue } from '../sql/sql.js'
import { nothingYet, tenantTables } from '../sql/tenant-tables.js'
import type { TenantTransaction } from '../tenant-transaction.js'
import { bound, SqliteStatements, sqliteText } from './sqlite-sql.js'

interface PlanLine {
  readonly parent: number
  readonly detail: string
}

let database: Database.Database

beforeAll(() => {
  database = migratedDatabase()
  for (const n of [1, 2, 3]) {
    database.exec(`INSERT INTO endpoints (id, tenant_id, job_id, name, version, created_at,
      updated_at, definition) VALUES ('ep_${n}', 'ten', 'job_1', 'name ${n}', 1, 0, 0, '{}')`)
  }
})
afterAll(() => void database.close())

/** How SQLite executes each statement of some work. */
async function plansOf(work: (rows: TenantTransaction) => Promise<unknown>): Promise<PlanLine[][]> {
  const sql = new SqliteStatements(database).at(0, () => 0)
  const plans: PlanLine[][] = []
  const watched: Sql = {
    ...sql,
    all: async <Row>(text: string, parameters: readonly SqlValue[] = []) => {
      const explain = database.prepare(`EXPLAIN QUERY PLAN ${sqliteText(text)}`)
      plans.push(explain.all(bound(parameters)) as PlanLine[])
      return sql.all<Row>(text, parameters)
    },
  }
  await work(tenantTables(watched, 'ten', noSystemQuotas, nothingYet()))
  return plans
}

/** Tables are entered by an index, in its order: only a page that was cut already is sorted. */
function expectIndexed(plan: readonly PlanLine[]): void {
  const details = plan.map(({ detail }) => detail)
  for (const detail of details) {
    if (/^SCAN /.test(detail)) expect(detail).toMatch(/^SCAN (looked|l|\(subquery-\d+\))$/)
    if (/^SEARCH /.test(detail)) expect(detail).toMatch(/USING (COVERING )?INDEX \w+ \(/)
  }
  const isCut = details.some((detail) => /^(CO-ROUTINE|LIST SUBQUERY)/.test(detail))
  const isSorted = details.some((detail) => detail.includes('TEMP B-TREE'))
  expect(isSorted && !isCut, details.join('\n')).toBe(false)
}

const pages = [
  { limit: 10, after: null },
  { limit: 10, after: '5.ep_1' },
]

describe('every filter that the API documents is answered by an index', () => {
  it.each(everyFilter('ep_1', 'job_1').map((filter) => [JSON.stringify(filter), filter] as const))(
    'runs %s',
    async (_, filter) => {
      for (const page of pages) {
        const plans = await plansOf((rows) => rows.runs.list({ ...page, ...filter }))
        expect(plans.length).toBeGreaterThan(0)
        for (const plan of plans) expectIndexed(plan)
      }
    },
  )

  it('runs: each filter by the index that was made for it', async () => {
    const indexOf = async (filter: object): Promise<string> => {
      const plans = await plansOf((rows) => rows.runs.list({ ...pages[0]!, ...filter }))
      return plans
        .flat()
        .map(({ detail }) => detail)
        .join('\n')
    }
    expect(await indexOf({})).toContain('runs_by_tenant (tenant_id=?)')
    expect(await indexOf({ source: 'replay' })).toContain(
      'runs_by_source (tenant_id=? AND source=?',
    )
    expect(await indexOf({ status: ['failure'] })).toContain(
      'runs_by_status (tenant_id=? AND status=?',
    )
    const orSuccess = await indexOf({ status: ['failure', 'success'] })
    expect(orSuccess).toContain('runs_by_tenant (tenant_id=?)')
    const byEndpoint = await indexOf({ endpointId: 'ep_1', status: ['failure'], from: 5 })
    expect(byEndpoint).toContain('(endpoint_id=? AND scheduled_for>?')
    expect(byEndpoint).not.toContain('runs_by_tenant')
  })

  const lists: readonly [string, (rows: TenantTransaction, page: Page) => Promise<unknown>][] = [
    ['jobs', (rows, page) => rows.jobs.list(page)],
    ['jobs by status', (rows, page) => rows.jobs.list({ ...page, status: 'active' })],
    ['endpoints', (rows, page) => rows.endpoints.list(page)],
    ['endpoints by job', (rows, page) => rows.endpoints.list({ ...page, jobId: 'job_1' })],
    ['endpoints alive', (rows, page) => rows.endpoints.list({ ...page, archived: false })],
    ['endpoints archived', (rows, page) => rows.endpoints.list({ ...page, archived: true })],
    [
      'endpoints of a job that are archived',
      (rows, page) => rows.endpoints.list({ ...page, jobId: 'job_1', archived: true }),
    ],
    ['audit', (rows, page) => rows.audit.list(page)],
    ['audit by subject', (rows, page) => rows.audit.list({ ...page, subject: 'ep_1' })],
    ['planner sessions', (rows, page) => rows.sessions.list(page)],
    [
      'planner sessions by endpoint',
      (rows, page) => rows.sessions.list({ ...page, endpointId: 'ep_1' }),
    ],
    ['keys', (rows, page) => rows.keys.list(page)],
    ['secrets', (rows, page) => rows.secrets.list(page)],
  ]
  it.each(lists)('%s', async (_, list) => {
    for (const page of pages) {
      for (const plan of await plansOf((rows) => list(rows, page))) expectIndexed(plan)
    }
  })

  it.each([
    ['endpoints_of_job', (rows, page) => rows.endpoints.list({ ...page, jobId: 'job_1' })],
    ['endpoints_live', (rows, page) => rows.endpoints.list({ ...page, archived: false })],
    ['endpoints_archived', (rows, page) => rows.endpoints.list({ ...page, archived: true })],
    [
      'endpoints_of_job_live',
      (rows, page) => rows.endpoints.list({ ...page, jobId: 'job_1', archived: false }),
    ],
    [
      'endpoints_of_job_archived',
      (rows, page) => rows.endpoints.list({ ...page, jobId: 'job_1', archived: true }),
    ],
    ['jobs_by_status', (rows, page) => rows.jobs.list({ ...page, status: 'active' })],
    ['audit_by_subject', (rows, page) => rows.audit.list({ ...page, subject: 'ep_1' })],
    [
      'planner_sessions_by_endpoint',
      (rows, page) => rows.sessions.list({ ...page, endpointId: 'x' }),
    ],
  ] satisfies readonly [string, (rows: TenantTransaction, page: Page) => Promise<unknown>][])(
    '%s is used',
    async (index, list) => {
      const plans = await plansOf((rows) => list(rows, pages[1]!))
      expect(
        plans
          .flat()
          .map(({ detail }) => detail)
          .join('\n'),
      ).toContain(`INDEX ${index} (`)
    },
  )
})

type Page = (typeof pages)[number]
