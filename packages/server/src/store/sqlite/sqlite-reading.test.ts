import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  everyFilter,
  isWanted,
  mixedRuns,
  newestFirst,
} from '../../../testing/store/reading-conformance.js'
import { World } from '../../../testing/store/world-conformance.js'
import type { Run } from '../../domain/index.js'
import type { Page } from '../page.js'
import { listRuns } from '../sql/run-history.js'
import type { Store } from '../store.js'
import type { RunFilter } from '../tenant-transaction.js'
import { SqliteStatements } from './sqlite-sql.js'
import { openSqliteStore } from './sqlite-store.js'

let folder: string
let path: string
let store: Store
let world: World

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kron-reading-'))
  path = join(folder, 'kron.db')
  store = openSqliteStore({ path, now: () => 1_800_000_000_000 })
  await store.migrate()
  world = new World(store)
})
afterEach(async () => {
  await store.close()
  await rm(folder, { recursive: true })
})

/** A history as it is after some weeks, written past the store. */
function addHistory(tenantId: string, endpointId: string, count: number): void {
  const database = new Database(path)
  database.exec(`INSERT INTO runs (endpoint_id, scheduled_for, tenant_id, period_id, source,
      status, fence, attempts, context)
    WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ${count})
    SELECT '${endpointId}', n, '${tenantId}', '', 'baseline-cron', 'success', 1, 1, '{}'
    FROM number`)
  database.close()
}

describe('a look at much', () => {
  it('lets claims and changes come before its end', async () => {
    const place = await world.place()
    const { endpoint } = await world.endpoint(place)
    addHistory(place.tenant.id, endpoint.id, 20_000)
    const order: string[] = []
    const status = ['failure'] as const
    const filter = { endpointId: endpoint.id, status, limit: 100, after: null }
    const looking = store.read(place.tenant.id, (rows) => rows.runs.list(filter))
    const ends = [
      looking.then(() => order.push('looked')),
      world.claim().then(() => order.push('claimed')),
      world.as(place.tenant, (rows) => rows.tenant.get()).then(() => order.push('changed')),
    ]
    await Promise.all(ends)
    expect(order).toEqual(['claimed', 'changed', 'looked'])
    expect(await looking).toEqual({ items: [], next: null })
  })

  it('ends before the store closes, and comes too late afterwards', async () => {
    const { tenant } = await world.place()
    const name = store.read(tenant.id, async (rows) => (await rows.tenant.get()).name)
    await store.close()
    expect(await name).toBe(tenant.name)
    await expect(store.read(tenant.id, async () => 1)).rejects.toMatchObject({
      code: 'unavailable',
    })
  })

  it('is of one moment, whatever is changed meanwhile', async () => {
    const { tenant } = await world.place()
    const nameOf = () => store.read(tenant.id, async (rows) => (await rows.tenant.get()).name)
    const names = await store.read(tenant.id, async (rows) => {
      const first = await rows.tenant.get()
      await world.as(tenant, (own) => own.tenant.update({ name: 'changed' }))
      return [first.name, (await rows.tenant.get()).name]
    })
    expect(names).toEqual([tenant.name, tenant.name])
    expect(await nameOf()).toBe('changed')
  })

  it('is refused when too many of the same tenant wait', async () => {
    const { tenant } = await world.place()
    const another = await world.tenant()
    const get = (id: string) => store.read(id, (rows) => rows.tenant.get())
    const asked = Array.from({ length: 300 }, () => get(tenant.id))
    const other = get(another.id)
    const answers = await Promise.allSettled(asked)
    const refused = answers.filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(300 - 201)
    expect(refused[0]).toMatchObject({ reason: { code: 'unavailable' } })
    expect(await other).toEqual(another)
  })
})

describe('pages of runs where only a few rows may be looked at', () => {
  async function everyRun(tenantId: string, filter: RunFilter, maxLooked: number): Promise<Run[]> {
    const database = new Database(path)
    const sql = new SqliteStatements(database).at(0, () => 0)
    const found: Run[] = []
    let after: string | null = null
    do {
      const request = { ...filter, limit: 4, after }
      const page: Page<Run> = await listRuns(sql, tenantId, request, maxLooked)
      expect(page.items.length).toBeLessThanOrEqual(4)
      found.push(...page.items)
      after = page.next
    } while (after !== null)
    database.close()
    return found
  }

  it.each([1, 3, 10, 64])('are all there, with %i rows a page', async (maxLooked) => {
    const place = await world.place()
    const inJob = [await world.endpoint(place), await world.endpoint(place)]
    const outside = await world.endpoint({ ...place, job: await world.job(place.tenant) })
    const ids = [...inJob, outside].map(({ endpoint }) => endpoint.id)
    const runs = mixedRuns(place.tenant.id, ids)
    await world.as(place.tenant, async (rows) => {
      for (const run of runs) await rows.runs.insert(run)
    })
    for (const filter of everyFilter(ids[0]!, place.job.id)) {
      const wanted = runs
        .filter((run) => isWanted(run, filter, new Set(ids.slice(0, 2))))
        .toSorted(newestFirst)
      const found = await everyRun(place.tenant.id, filter, maxLooked)
      expect(found, JSON.stringify(filter)).toEqual(wanted)
    }
  })

  async function firstPage(tenantId: string, filter: RunFilter, maxLooked: number) {
    const database = new Database(path)
    const sql = new SqliteStatements(database).at(0, () => 0)
    const page = await listRuns(sql, tenantId, { ...filter, limit: 4, after: null }, maxLooked)
    database.close()
    return page
  }

  it('end early instead of looking at all', async () => {
    const place = await world.place()
    const { endpoint } = await world.endpoint(place)
    addHistory(place.tenant.id, endpoint.id, 1_000)
    const filter = { source: 'baseline-cron', status: ['missed'] } as const
    const page = await firstPage(place.tenant.id, filter, 100)
    expect(page).toEqual({ items: [], next: `901.${endpoint.id}` })
  })

  it('look at as many of each endpoint of a job, and at no more of all together', async () => {
    const place = await world.place()
    const made = [await world.endpoint(place), await world.endpoint(place)]
    const ids = made.map(({ endpoint }) => endpoint.id).sort()
    for (const id of ids) addHistory(place.tenant.id, id, 1_000)
    const filter = { jobId: place.job.id, status: ['missed'] } as const
    const page = await firstPage(place.tenant.id, filter, 100)
    expect(page).toEqual({ items: [], next: `951.${ids[1]}` })
  })

  it('look for a job of many endpoints among all runs, once where none is deleted', async () => {
    const place = await world.place()
    for (let n = 0; n < 39; n++) await world.endpoint(place)
    const { endpoint } = await world.endpoint(place)
    addHistory(place.tenant.id, endpoint.id, 1_000)
    const filter = { jobId: place.job.id, source: 'baseline-cron', status: ['missed'] } as const
    const page = await firstPage(place.tenant.id, filter, 100)
    expect(page).toEqual({ items: [], next: `901.${endpoint.id}` })
  })

  it('are as long as ever where an index tells all that is asked', async () => {
    const place = await world.place()
    const { endpoint } = await world.endpoint(place)
    addHistory(place.tenant.id, endpoint.id, 4)
    const { items, next } = await firstPage(place.tenant.id, { source: 'baseline-cron' }, 3)
    expect(items.map(({ scheduledFor }) => scheduledFor)).toEqual([4, 3, 2, 1])
    expect(next).toBeNull()
  })
})
