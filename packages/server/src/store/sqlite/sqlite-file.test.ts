import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { World } from '../../../testing/store/world-conformance.js'
import { migrations } from '../schema/migrations.js'
import type { Store } from '../store.js'
import { sqliteWords } from './sqlite-migrate.js'
import { openSqliteStore } from './sqlite-store.js'

let folder: string
let path: string
const opened: Store[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kron-store-'))
  path = join(folder, 'kron.db')
})
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
  await rm(folder, { recursive: true })
})

async function open(): Promise<Store> {
  const store = openSqliteStore({ path, now: () => Date.now() })
  opened.push(store)
  await store.migrate()
  return store
}

describe('a SQLite file', () => {
  it('is found again with all that was committed', async () => {
    const world = new World(await open())
    const made = await world.due(await world.place())
    const run = await world.claimOne()
    await opened.pop()!.close()
    const next = new World(await open())
    expect(await next.runs(made)).toMatchObject([{ status: 'running', fence: run.fence }])
    expect(await next.recordOne(run)).toBe('recorded')
  })

  it.skipIf(process.platform === 'win32')('is for its owner only, with its log', async () => {
    await chmod(folder, 0o755)
    const store = await open()
    await store.system((rows) => rows.tenants(1, null))
    const names = await readdir(folder)
    expect(names.toSorted()).toEqual(['kron.db', 'kron.db-shm', 'kron.db-wal'])
    const modes = names.map(async (name) => (await stat(join(folder, name))).mode & 0o777)
    expect(await Promise.all(modes)).toEqual([0o600, 0o600, 0o600])
  })

  it.skipIf(process.platform === 'win32')('keeps the mode that it was given', async () => {
    await writeFile(path, '')
    await chmod(path, 0o640)
    await open()
    expect((await stat(path)).mode & 0o777).toBe(0o640)
    expect((await stat(`${path}-wal`)).mode & 0o777).toBe(0o640)
  })

  it('is migrated as often as one likes', async () => {
    const store = await open()
    const world = new World(store)
    const { tenant, job } = await world.place()
    await store.migrate()
    await open()
    expect(await world.as(tenant, (rows) => rows.jobs.get(job.id))).toEqual(job)
  })

  it('of an older program gets what came later, and keeps what it has', async () => {
    const database = new Database(path)
    database.exec('CREATE TABLE migrations (version bigint PRIMARY KEY)')
    database.exec('INSERT INTO migrations (version) VALUES (1)')
    const dialect = { ...sqliteWords, now: 7 }
    for (const statement of migrations[0]!.statements(dialect)) database.exec(statement)
    database.exec(`INSERT INTO tenants (tenant_id, name, created_at, quotas, retention)
      VALUES ('ten_old', 'old', 7, '{}', '{"runsPerEndpoint":5}')`)
    database.close()
    const store = await open()
    const tenant = await store.system((rows) => rows.tenant('ten_old'))
    expect(tenant).toMatchObject({ name: 'old', createdAt: 7 })
    const most = { endpoints: 5, runs: 5 }
    const did = await store.system((rows) => rows.pruneExcess(tenant!, most))
    expect(did).toEqual({ runs: 0, endpoints: 0, isPassEnd: true })
  })

  it('of a newer program is refused, and left as it is', async () => {
    await open()
    await opened.pop()!.close()
    const database = new Database(path)
    database.exec('INSERT INTO migrations (version) VALUES (999)')
    database.close()
    const store = openSqliteStore({ path, now: () => 5 })
    opened.push(store)
    const expected = { code: 'incompatible', applied: 'no' }
    await expect(store.migrate()).rejects.toMatchObject(expected)
    await expect(store.migrate()).rejects.toThrow(/use a newer version of Kron/)
  })

  it('that is closed says so', async () => {
    const store = await open()
    await store.close()
    const expected = { code: 'unavailable', applied: 'no' }
    await expect(store.system(async () => 1)).rejects.toMatchObject(expected)
    opened.pop()
  })

  it('that is closed ends first what was begun', async () => {
    const store = await open()
    const { tenant, job } = await new World(store).place()
    const begun = store.tenant(tenant.id, async (rows) => {
      for (let n = 0; n < 50; n++) await rows.jobs.read(job.id)
      return 'ended'
    })
    await store.close()
    opened.pop()
    expect(await begun).toBe('ended')
  })

  it('is kept from others that write from the beginning of a transaction on', async () => {
    const world = new World(await open())
    const { tenant, job } = await world.place()
    const other = new Database(path, { timeout: 0 })
    await world.as(tenant, async (rows) => {
      await rows.jobs.read(job.id)
      expect(() => other.exec('BEGIN IMMEDIATE')).toThrow(/locked/)
    })
    other.exec('BEGIN IMMEDIATE')
    other.close()
  })

  it('can be shared by two programs, one transaction after the other', async () => {
    const [first, second] = [new World(await open()), new World(await open())]
    const place = await first.place()
    for (let n = 0; n < 20; n++) await first.due(place)
    const claims = [await first.claim({ limit: 12 }), await second.claim({ limit: 12 })]
    const ids = claims.flatMap(({ claimed }) => claimed.map(({ endpointId }) => endpointId))
    expect(ids).toHaveLength(20)
    expect(new Set(ids).size).toBe(20)
  })
})
