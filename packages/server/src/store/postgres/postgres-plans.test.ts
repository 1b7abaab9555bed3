import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createDatabase, dropDatabase } from '../../../../../tools/postgres/index.ts'
import { everyFilter } from '../../../testing/store/reading-conformance.js'
import { noSystemQuotas } from '../../domain/index.js'
import { deleteThrough, nextEndpoints } from '../sql/excess-runs.js'
import type { Sql, SqlValue } from '../sql/sql.js'
import { nothingYet, tenantTables } from '../sql/tenant-tables.js'
import type { TenantTransaction } from '../tenant-transaction.js'
import { numbers, texts } from './array-literal.js'
import { endRunning, writeOutcomes } from './postgres-runs.js'
import { openPostgresStore } from './postgres-store.js'

const server = inject('postgresUrl')
const count = 200
const every = <T>(value: T): T[] => Array.from({ length: count }, () => value)
const endpoints = texts(Array.from({ length: count }, (_, number) => `ep_${number}`))
const no = numbers(every(1))
const word = texts(every('success'))

let url: string
let admin: pg.Client

async function planOf(text: string, values: unknown[]): Promise<string> {
  const { rows } = await admin.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, values)
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

describe.runIf(server !== null)('statistics of a time when no run was under way', () => {
  beforeAll(async () => {
    url = await createDatabase(server!)
    const store = openPostgresStore({ url })
    await store.migrate()
    await store.close()
    admin = new pg.Client({ connectionString: url })
    await admin.connect()
    await admin.query(
      `INSERT INTO runs (endpoint_id, scheduled_for, tenant_id, period_id, source, status, fence,
         attempts, context)
       SELECT 'ep_' || n, n, 'ten', '', 'baseline-cron', 'success', 1, 1, '{}'
       FROM generate_series(1, 10000) AS n`,
    )
    await admin.query(
      `INSERT INTO endpoints (id, tenant_id, job_id, name, version, created_at, updated_at,
         definition)
       SELECT 'ep_' || n, 'ten', 'job', 'name ' || n, 1, 0, 0, '{}'
       FROM generate_series(1, 10000) AS n`,
    )
    await admin.query(
      `INSERT INTO endpoints (id, tenant_id, job_id, name, version, created_at, updated_at,
         definition)
       SELECT 'ep_of_job_' || n, 'ten', 'job ' || n, 'name', 1, 0, 0, '{}'
       FROM generate_series(1, 10000) AS n`,
    )
    await admin.query(
      `INSERT INTO endpoints (id, tenant_id, job_id, name, version, created_at, updated_at,
         archived_at, definition)
       SELECT 'ep_archived_' || n, 'ten', CASE n % 10 WHEN 0 THEN 'job' ELSE 'other' END, 'name',
         1, 0, 0, 1, '{}'
       FROM generate_series(1, 20000) AS n`,
    )
    await admin.query(
      `INSERT INTO jobs (id, tenant_id, name, status, version, created_at, updated_at)
       SELECT 'job ' || n, 'ten', 'name ' || n, 'active', 1, 0, 0
       FROM generate_series(1, 10000) AS n`,
    )
    await admin.query(
      `INSERT INTO audit (id, tenant_id, at, actor, action, subject)
       SELECT 'aud_' || n, 'ten', n, 'system', 'a', 'ep_' || n
       FROM generate_series(1, 10000) AS n`,
    )
    await admin.query(
      `INSERT INTO planner_sessions (id, tenant_id, endpoint_id, started_at, session)
       SELECT 'ses_' || n, 'ten', 'ep_' || n, n, '{}' FROM generate_series(1, 10000) AS n`,
    )
    await admin.query('ANALYZE runs, endpoints, jobs, audit, planner_sessions')
  })

  afterAll(async () => {
    await admin.end()
    await dropDatabase(server!, url)
  })

  it.each([
    [
      'writeOutcomes',
      writeOutcomes,
      [endpoints, no, word, word, no, no, no, word, texts(every('\\x00')), no],
    ],
    ['endRunning', endRunning, [endpoints, no, word, word, word, 1]],
  ])('do not make %s compare every run with every key', async (_, text, values) => {
    const plan = await planOf(text, values)
    expect(plan).toContain('Update on runs')
    expect(plan).not.toMatch(/Nested Loop.*\n\s*Join Filter/)
  })

  it.each([
    ['the next endpoints', nextEndpoints, ['ten', 'ep_5', 10_000, 100]],
    ['their excess', deleteThrough({ dialect: 'postgres' }), ['ep_5', 5, 500]],
  ])('let retention find %s without a look at all rows', async (_, text, values) => {
    const plan = await planOf(text, values)
    expect(plan).toContain('Index')
    expect(plan).not.toMatch(/Seq Scan/)
  })

  /** How PostgreSQL executes each statement of some work. */
  async function plansOf(work: (rows: TenantTransaction) => Promise<unknown>): Promise<string> {
    const plans: string[] = []
    const sql: Sql = {
      dialect: 'postgres',
      now: 0,
      time: async () => 0,
      all: async <Row>(text: string, values: readonly SqlValue[] = []) => {
        plans.push(await planOf(text, [...values]))
        return (await admin.query(text, [...values])).rows as Row[]
      },
      run: () => Promise.reject(new Error('nothing is written here')),
    }
    await work(tenantTables(sql, 'ten', noSystemQuotas, nothingYet()))
    return plans.join('\n')
  }

  const page = { limit: 10, after: '5000.ep_5000' }

  it.each(everyFilter('ep_7', 'job').map((filter) => [JSON.stringify(filter), filter] as const))(
    'let runs be found by an index: %s',
    async (_, filter) => {
      const plan = await plansOf((rows) => rows.runs.list({ ...page, ...filter }))
      expect(plan).toContain('Limit')
      expect(plan).not.toMatch(/Seq Scan on (runs|endpoints)/)
    },
  )

  it.each([
    ['runs_by_source', (rows) => rows.runs.list({ ...page, source: 'replay' })],
    ['runs_by_tenant', (rows) => rows.runs.list({ ...page, status: ['failure'] })],
    ['runs_pkey', (rows) => rows.runs.list({ ...page, endpointId: 'ep_7', status: ['failure'] })],
    ['endpoints_of_job', (rows) => rows.endpoints.list({ ...page, jobId: 'job 3' })],
    ['endpoints_live', (rows) => rows.endpoints.list({ ...page, archived: false })],
    ['endpoints_archived', (rows) => rows.endpoints.list({ ...page, archived: true })],
    [
      'endpoints_of_job_live',
      (rows) => rows.endpoints.list({ ...page, jobId: 'job', archived: false }),
    ],
    [
      'endpoints_of_job_archived',
      (rows) => rows.endpoints.list({ ...page, jobId: 'job', archived: true }),
    ],
    ['jobs_by_status', (rows) => rows.jobs.list({ ...page, status: 'archived' })],
    ['audit_by_subject', (rows) => rows.audit.list({ ...page, after: null, subject: 'ep_7' })],
    [
      'planner_sessions_by_endpoint',
      (rows) => rows.sessions.list({ ...page, after: null, endpointId: 'ep_7' }),
    ],
  ] satisfies readonly [string, (rows: TenantTransaction) => Promise<unknown>][])(
    'let filters be answered by %s',
    async (index, list) => {
      const plan = await plansOf(list)
      expect(plan).toContain(index)
      expect(plan).not.toMatch(/Seq Scan on (runs|endpoints|jobs|audit|planner_sessions)/)
    },
  )
})
