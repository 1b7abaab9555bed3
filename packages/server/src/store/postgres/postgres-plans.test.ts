import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createDatabase, dropDatabase } from '../../../../../tools/postgres/index.ts'
import { numbers, texts } from './array-literal.js'
import { endRunning, writeOutcomes } from './postgres-hot-statements.js'
import { openPostgresStore } from './postgres-store.js'

const server = inject('postgresUrl')
const count = 200
const every = <T>(value: T): T[] => Array.from({ length: count }, () => value)
const endpoints = texts(Array.from({ length: count }, (_, number) => `ep_${number}`))
const no = numbers(every(1))
const word = texts(every('success'))

describe.runIf(server !== null)('statistics of a time when no run was under way', () => {
  let url: string
  let admin: pg.Client

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
    await admin.query('ANALYZE runs')
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
    const { rows } = await admin.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, values)
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toContain('Update on runs')
    expect(plan).not.toMatch(/Nested Loop.*\n\s*Join Filter/)
  })
})
