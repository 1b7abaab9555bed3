/** What a claim costs when a thousand endpoints are stored, and when a million are. */
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import pg from 'pg'
import { parseSteering } from '../../packages/server/dist/dispatch/index.js'
import { newId } from '../../packages/server/dist/domain/index.js'
import { EndpointPlanning, type Outcome } from '../../packages/server/dist/scheduling/index.js'
import type { Claim, ClaimedRun, Store } from '../../packages/server/dist/store/index.js'
import { openPostgresStore } from '../../packages/server/dist/store/postgres/postgres-store.js'
import { openSqliteStore } from '../../packages/server/dist/store/sqlite/sqlite-store.js'
import { defaultWorkerLimits } from '../../packages/server/dist/worker/worker.js'
import { startPostgres } from '../../tools/postgres/index.ts'
import { scratchFolder } from '../krond/scratch-folder.ts'
import { addEndpoints } from './contenders/kron/endpoints.ts'

const sizes = [1_000, 1_000_000]
const batch = 100
const claims = 50
const dayMs = 86_400_000

/** Copies of an endpoint, spread over the next month; `series` counts from 1 to `$count`. */
function copies(series: string, count: number, from: number): string[] {
  const id = `'ep_' || substr('00000000000000000000000000' || n, -26)`
  const idOf = series.includes('generate_series') ? `'ep_' || lpad(n::text, 26, '0')` : id
  const spread = `${from} + CAST(n AS bigint) * ${Math.floor((30 * dayMs) / count)}`
  return [
    `INSERT INTO endpoints (id, tenant_id, job_id, name, version, created_at, updated_at, definition)
     ${series} SELECT ${idOf}, tenant_id, job_id, 'copy ' || n, version, created_at, updated_at,
       definition FROM series, (SELECT * FROM endpoints WHERE name = 'endpoint 0') sample`,
    `INSERT INTO plans (endpoint_id, tenant_id, created_at, wake_at, wake_kind, version, next_run_at,
       source, period_id, fence, failure_count, suspended)
     ${series} SELECT ${idOf}, tenant_id, created_at, ${spread}, wake_kind, version, ${spread},
       source, period_id, 0, 0, 0 FROM series,
       (SELECT p.* FROM plans p JOIN endpoints e ON e.id = p.endpoint_id
        WHERE e.name = 'endpoint 0') sample`,
  ]
}

const planning = () =>
  new EndpointPlanning({
    maxDefinitions: 100_000,
    readSteering: parseSteering,
    onBroken: (_, error) => {
      throw error
    },
  })

function outcomeOf(run: ClaimedRun, now: number): Outcome {
  const { endpointId, scheduledFor, tenantId, fence, overlapping } = run
  return {
    ...{ endpointId, scheduledFor, tenantId, fence, overlapping },
    status: 'success',
    reason: null,
    startedAt: now,
    endedAt: now,
    attempts: 1,
    error: null,
    response: null,
  }
}

interface Cost {
  readonly claimMs: number
  readonly recordMs: number
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1]!

async function measure(store: Store): Promise<Cost> {
  const rules = planning()
  const claimMs: number[] = []
  const recordMs: number[] = []
  for (let n = 0; n < claims; n++) {
    const { crowd } = defaultWorkerLimits
    const claimId = newId('req', Date.now())
    const request = { claimId, owner: 'bench', limit: batch, withinMs: 0, crowd }
    const begin = performance.now()
    const claim: Claim = await store.claim(request, rules)
    const claimed = performance.now()
    if (claim.claimed.length !== batch) throw new Error(`${claim.claimed.length} were claimed`)
    await store.record(
      claim.claimed.map((run) => outcomeOf(run, claim.now)),
      rules,
    )
    claimMs.push(claimed - begin)
    recordMs.push(performance.now() - claimed)
  }
  return { claimMs: median(claimMs), recordMs: median(recordMs) }
}

async function furnish(store: Store): Promise<void> {
  await store.migrate()
  const now = await store.time()
  const assignment = { dueAt: now, count: batch * claims, targetUrl: 'http://127.0.0.1/' }
  await addEndpoints(store, assignment)
}

async function onSqlite(size: number, folder: string): Promise<Cost> {
  const path = join(mkdtempSync(join(folder, 'claims-')), 'kron.db')
  const store = openSqliteStore({ path, now: Date.now })
  await furnish(store)
  const database = new Database(path)
  const series = `WITH RECURSIVE series(n) AS
    (SELECT 1 UNION ALL SELECT n + 1 FROM series WHERE n < ${size})`
  for (const statement of copies(series, size, Date.now() + dayMs)) database.exec(statement)
  database.exec('ANALYZE')
  database.close()
  const cost = await measure(store)
  await store.close()
  return cost
}

/** Bytes of rows and their indexes, and of the log that a run writes. */
async function weigh(client: pg.Client, store: Store): Promise<string> {
  const ask = async (text: string): Promise<number> =>
    Number((await client.query(`SELECT (${text})::float8 AS value`)).rows[0].value)
  const sizeOf = (table: string) => ask(`SELECT pg_total_relation_size('${table}')`)
  const endpoints = await ask('SELECT count(*) FROM plans')
  const ofEndpoint = ((await sizeOf('endpoints')) + (await sizeOf('plans'))) / endpoints
  const before = await ask(`SELECT pg_current_wal_lsn() - '0/0'::pg_lsn`)
  await measure(store)
  const runs = batch * claims
  const ofLog = ((await ask(`SELECT pg_current_wal_lsn() - '0/0'::pg_lsn`)) - before) / runs
  const ofRun = (await sizeOf('runs')) / runs
  const round = (bytes: number) => `${Math.round(bytes).toLocaleString('en')} bytes`
  return `an endpoint ${round(ofEndpoint)}, a run ${round(ofRun)}, its log ${round(ofLog)}`
}

async function onPostgres(size: number, url: string): Promise<Cost> {
  const store = openPostgresStore({ url })
  await furnish(store)
  const client = new pg.Client(url)
  await client.connect()
  const series = `WITH series AS (SELECT n FROM generate_series(1, ${size}) AS n)`
  try {
    for (const statement of copies(series, size, Date.now() + dayMs)) await client.query(statement)
    await client.query('VACUUM ANALYZE')
  } finally {
    await client.end()
  }
  try {
    return await measure(store)
  } finally {
    await store.close()
  }
}

async function weights(url: string): Promise<string> {
  const store = openPostgresStore({ url })
  await furnish(store)
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query('VACUUM ANALYZE')
    return await weigh(client, store)
  } finally {
    await client.end()
    await store.close()
  }
}

const folder = scratchFolder()
const server = await startPostgres()
try {
  console.log(`claims and records of ${batch} runs, median of ${claims}, in ms`)
  console.log(`PostgreSQL: ${await weights(await server.createDatabase())}`)
  for (const [name, run] of [
    ['SQLite', (size: number) => onSqlite(size, folder)],
    ['PostgreSQL', async (size: number) => onPostgres(size, await server.createDatabase())],
  ] as const) {
    const costs: Cost[] = []
    for (const size of sizes) {
      const cost = await run(size)
      costs.push(cost)
      const figures = `claim ${cost.claimMs.toFixed(2)}, record ${cost.recordMs.toFixed(2)}`
      console.log(`${name}, ${size.toLocaleString('en')} endpoints: ${figures}`)
    }
    const ratio = (costs[1]!.claimMs / costs[0]!.claimMs).toFixed(2)
    console.log(`${name}: a claim among a million takes ${ratio} times as long`)
  }
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
