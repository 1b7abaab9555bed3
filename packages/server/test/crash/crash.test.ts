import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { Random } from '../../../../simulation/random.js'
import { postgresUnavailable, startPostgres } from '../../../../tools/postgres/index.ts'
import {
  defaultRetention,
  type Endpoint,
  newId,
  type Run,
  runId,
  unlimited,
} from '../../src/domain/index.js'
import { compileEndpoint, leaseGraceMs, newPlan } from '../../src/scheduling/index.js'
import { newSealingKeyText } from '../../src/secrets/index.js'
import type { Page, Store } from '../../src/store/index.js'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.js'
import { byInterval, sampleEndpoint } from '../../testing/sample-endpoint.js'
import { EchoTarget } from './echo-target.js'
import { WorkerCrowd } from './worker-crowd.js'

const isLong = process.env['KRON_LONG'] === '1' || process.env['KRON_KILLS'] !== undefined
const workers = isLong ? 10 : 4
const count = isLong ? 2_000 : 200
const seconds = isLong ? 60 : 12
const leaseMs = 4_000
/** How late a busy machine may be with what the end of a lease leaves to do. */
const mercyMs = 60_000

const folder = mkdtempSync(join(tmpdir(), 'kron-server-crash-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const unavailable = postgresUnavailable()
if (unavailable !== null) console.error(`The kills are not tried: ${unavailable}`)

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

interface Furnished {
  readonly tenantId: string
  readonly jobId: string
}

async function furnish(store: Store, url: string): Promise<Furnished> {
  const now = await store.time()
  const tenantId = newId('ten', now)
  const jobId = newId('job', now)
  const base = { id: tenantId, name: 'crash', createdAt: now }
  await store.system((rows) =>
    rows.insertTenant({ ...base, quotas: unlimited, retention: defaultRetention }),
  )
  await store.tenant(tenantId, async (rows) => {
    await rows.jobs.insert({
      id: jobId,
      tenantId,
      name: 'crash',
      description: null,
      status: 'active',
      version: 1,
      createdAt: now,
      updatedAt: now,
    })
    for (let n = 0; n < count; n++) {
      const sample = sampleEndpoint({ ...byInterval(900 + (n % 200)), url })
      const endpoint: Endpoint = {
        ...sample,
        id: newId('ep', now),
        tenantId,
        jobId,
        createdAt: now,
        definition: {
          ...sample.definition,
          name: `endpoint ${n}`,
          timeoutMs: 2_000,
          maxExecutionTimeMs: leaseMs,
        },
      }
      await rows.endpoints.insert(endpoint, newPlan(endpoint, compileEndpoint(endpoint), rows.now))
    }
  })
  return { tenantId, jobId }
}

async function readRuns(store: Store, tenantId: string): Promise<Run[]> {
  const runs: Run[] = []
  for (let after: string | null = null; ; ) {
    const from: string | null = after
    const page: Page<Run> = await store.tenant(tenantId, (rows) =>
      rows.runs.list({ limit: 10_000, after: from }),
    )
    runs.push(...page.items)
    if (page.next === null) return runs
    after = page.next
  }
}

it.runIf(unavailable === null)(
  'no period is sent twice and none is left open when workers and PostgreSQL are killed',
  async ({ task }) => {
    const seed = Number(process.env['KRON_SEED'] ?? Date.now() % 2 ** 31)
    task.meta.seed = seed
    const random = new Random(seed)
    const postgres = await startPostgres()
    const database = await postgres.createDatabase()
    const store = openPostgresStore({ url: database })
    const target = await EchoTarget.open()
    const secretKey = newSealingKeyText()
    const crowd = new WorkerCrowd({ database, folder, secretKey, allow: ['127.0.0.1'] }, random)
    try {
      await store.migrate()
      const { tenantId, jobId } = await furnish(store, target.url)
      await Promise.all(Array.from({ length: workers }, () => crowd.start()))

      let restarts = 0
      const begin = Date.now()
      for (let turn = 0; Date.now() - begin < seconds * 1_000; turn++) {
        await pause(random.between(200, 1_500))
        crowd.killOne()
        if (turn % 4 === 1) crowd.freezeOne(leaseMs + 4_000)
        if (turn % 6 === 3) {
          await postgres.kill()
          await pause(random.between(0, 500))
          await postgres.restart()
          restarts++
        }
      }
      await crowd.complete()
      await store.tenant(tenantId, async (rows) => {
        for (const run of await rows.plans.suspend(jobId, 'paused')) rows.abort(run)
      })
      const restAt = Date.now() + leaseMs + leaseGraceMs + mercyMs
      let runs = await readRuns(store, tenantId)
      const isOpen = ({ status }: Run) => status === 'running' || status === 'pending'
      while (runs.some(isOpen) && Date.now() < restAt) {
        await pause(500)
        runs = await readRuns(store, tenantId)
      }

      const sent = Map.groupBy(target.arrivals, (arrival) => arrival.runId)
      const rows = new Map(runs.map((run) => [runId(run), run]))
      const lost = runs.filter(({ reason }) => reason === 'worker_lost').length
      console.log(
        `${runs.length} runs, ${target.arrivals.length} arrivals, ${crowd.kills} kills, ` +
          `${crowd.freezes} freezes, ${restarts} restarts of PostgreSQL, ${lost} lost, ` +
          `${crowd.fenced} late outcomes refused`,
      )
      expect([...sent].filter(([, arrivals]) => arrivals.length > 1)).toEqual([])
      expect([...sent.keys()].filter((id) => !rows.has(id))).toEqual([])
      expect(runs.filter(isOpen)).toEqual([])
      expect(crowd.deaths).toBe(0)
      if (isLong) expect(crowd.fenced).toBeGreaterThan(0)
      const early = target.arrivals.filter(({ runId: id, at }) => at < rows.get(id)!.scheduledFor)
      expect(early).toEqual([])
      const stuck = runs.filter(({ claimedAt, endedAt, scheduledFor }) => {
        const leaseEnd = Math.max(claimedAt ?? scheduledFor, scheduledFor) + leaseMs
        return endedAt! > leaseEnd + mercyMs
      })
      expect(stuck).toEqual([])
      expect(target.arrivals.length).toBeGreaterThan(count * 2)
    } finally {
      await crowd.end()
      await store.close()
      await target.close()
      await postgres.stop()
    }
  },
  isLong ? 600_000 : 300_000,
)
