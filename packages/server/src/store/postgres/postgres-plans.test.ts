import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createDatabase, dropDatabase } from '../../../../../tools/postgres/index.ts'
import { deleteThrough, nextEndpoints } from '../sql/excess-runs.js'
import { numbers, texts } from './array-literal.js'
import { endRunning, writeOutcomes } from './postgres-hot-statements.js'
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
    await admin.query('ANALYZE runs, endpoints')
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
})
