import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MetricRegistry } from '@kron/runtime'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { createDatabase, dropDatabase } from '../../../../../tools/postgres/index.ts'
import { replyOf } from '../../../testing/api/api-world.js'
import { runCommand, wordsOf } from '../../../testing/kron-commands.js'
import { silentLog } from '../../../testing/silent-log.js'
import { lookUpTtlMs } from '../../access/index.js'
import { createApi } from '../../api/index.js'
import { createAddressGuard } from '../../dispatch/index.js'
import { loadVault } from '../../secrets/index.js'
import type { Store } from '../../store/index.js'
import { openPostgresStore } from '../../store/postgres/postgres-store.js'
import { openSqliteStore } from '../../store/sqlite/sqlite-store.js'

interface Created {
  readonly tenant: { readonly id: string; readonly suspendedAt: string | null }
  readonly key: { readonly key: string }
}

/** The operator's commands beside a server with its API, each with a connection of its own. */
function describeRemedies(database: () => Promise<{ url: string; drop(): Promise<void> }>): void {
  let folder: string
  let place: { url: string; drop(): Promise<void> }
  let store: Store
  let now: number
  let app: ReturnType<typeof createApi>
  let key: string
  let id: string

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kron-remedies-'))
    place = await database()
    now = Date.UTC(2026, 2, 1, 12)
    const created = await json<Created>('tenants create shop')
    key = created.key.key
    id = created.tenant.id
    const isPostgres = place.url.startsWith('postgres')
    store = isPostgres
      ? openPostgresStore({ url: place.url })
      : openSqliteStore({ path: place.url, now: () => now })
    await store.migrate()
    const vault = await loadVault({ keyFile: join(folder, 'secret.key') })
    const clock = { now: () => new Date(now), sleep: async () => {} }
    app = createApi({
      store,
      vault,
      addressGuard: createAddressGuard(),
      clock,
      log: silentLog(clock),
      metrics: new MetricRegistry(),
      signup: 'closed',
    })
  })
  afterEach(async () => {
    await store.close()
    await place.drop()
    await rm(folder, { recursive: true })
  })

  const run = (line: string) =>
    runCommand([...wordsOf(line), '--data', folder, '--database', place.url], () => now)

  async function json<T>(line: string): Promise<T> {
    const { exitCode, stdout, stderr } = await run(`${line} --format json`)
    expect([exitCode, stderr]).toEqual([0, ''])
    return JSON.parse(stdout) as T
  }

  async function send(method: string, path: string, body?: unknown, by = key) {
    const init = {
      method,
      headers: { authorization: `Bearer ${by}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }
    return replyOf(await app.request(`/api/v1${path}`, init))
  }

  async function makeEndpoint(): Promise<string> {
    const job = await send('POST', '/jobs', { name: 'nightly' })
    const { body } = await send('POST', `/jobs/${job.body.id}/endpoints`, {
      name: 'sync',
      url: 'https://example.com/',
      intervalMs: 60_000,
    })
    return body.id
  }

  const planOf = (endpointId: string) =>
    store.tenant(id, async (rows) => (await rows.endpoints.read(endpointId))?.plan)

  const actions = () =>
    store.tenant(id, async (rows) => {
      const { items } = await rows.audit.list({ limit: 100, after: null })
      return items.filter(({ actor }) => actor === 'operator').map(({ action }) => action)
    })

  it('new-key lets in who has lost all of his keys', async () => {
    const { stdout, stderr, exitCode } = await run('tenants new-key shop --name rescue')
    expect([exitCode, stderr]).toEqual([
      0,
      'kron: the key rescue (admin); save it, it will not be shown again:\n',
    ])
    expect((await send('GET', '/keys', undefined, stdout.trim())).status).toBe(200)
    const made = await json<{ key: string; scopes: string[] }>(
      'tenants new-key shop --scope read --expires-in 1h',
    )
    expect(made.scopes).toEqual(['read'])
    expect((await send('GET', '/tenant', undefined, made.key)).status).toBe(200)
    expect((await send('GET', '/audit', undefined, made.key)).status).toBe(403)
    expect(await actions()).toContain('key.create')
    expect(await run('tenants new-key shop --scope root')).toMatchObject({ exitCode: 1 })
  })

  it('suspend refuses keys, plans nothing and cancels; resume goes on', async () => {
    const endpointId = await makeEndpoint()
    const asked = await send('POST', `/endpoints/${endpointId}/run`)
    expect((await planOf(endpointId))!.nextRunAt).not.toBeNull()

    const { suspendedAt } = await json<Created['tenant']>('tenants suspend shop')
    expect(suspendedAt).not.toBeNull()
    expect(await planOf(endpointId)).toMatchObject({ suspended: true, nextRunAt: null })
    const cancelled = await store.tenant(id, (rows) =>
      rows.runs.list({ endpointId, limit: 5, after: null }),
    )
    expect(cancelled.items).toMatchObject([{ status: 'cancelled', reason: 'tenant_suspended' }])
    expect(asked.status).toBe(202)

    // A key that this process has just looked up may still look, but change nothing.
    const late = await send('POST', '/jobs', { name: 'late' })
    expect(late).toMatchObject({ status: 403, body: { code: 'tenant_suspended' } })
    now += lookUpTtlMs
    for (const [method, path] of [
      ['GET', '/tenant'],
      ['POST', '/jobs'],
    ] as const) {
      const refused = await send(method, path, method === 'POST' ? { name: 'x' } : undefined)
      expect(refused).toMatchObject({ status: 403, body: { code: 'tenant_suspended' } })
    }
    const login = await app.request('/api/v1/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ key }),
    })
    expect(login.status).toBe(403)
    await json('tenants suspend shop')

    expect(await json('tenants resume shop')).toMatchObject({ suspendedAt: null })
    expect(await planOf(endpointId)).toMatchObject({ suspended: false })
    expect((await planOf(endpointId))!.nextRunAt).not.toBeNull()
    now += lookUpTtlMs
    expect((await send('GET', '/tenant')).status).toBe(200)
    expect((await actions()).filter((action) => /suspend|resume/.test(action))).toEqual([
      'tenant.resume',
      'tenant.suspend',
    ])
  })

  it('resume leaves alone what the tenant itself had paused', async () => {
    const endpointId = await makeEndpoint()
    const { jobId } = (await send('GET', `/endpoints/${endpointId}`)).body
    await send('POST', `/jobs/${jobId}/pause`)
    await json('tenants suspend shop')
    await json('tenants resume shop')
    expect(await planOf(endpointId)).toMatchObject({ suspended: true })
  })

  it('quotas --min-interval holds endpoints that are there already', async () => {
    const endpointId = await makeEndpoint()
    await json('tenants quotas shop --min-interval 5m')
    const { body } = await send('GET', `/endpoints/${endpointId}`)
    expect(body).toMatchObject({ intervalMs: 60_000, minIntervalMs: 300_000, version: 2 })
    const { body: preview } = await send('GET', `/endpoints/${endpointId}/next?count=2`)
    const [first, second] = preview.items.map((item: { nextRunAt: string }) =>
      Date.parse(item.nextRunAt),
    )
    expect(second - first).toBe(300_000)
    expect(await actions()).toContain('endpoint.floor')
    await json('tenants quotas shop --min-interval 5m')
    expect((await send('GET', `/endpoints/${endpointId}`)).body.version).toBe(2)
  })

  it('quotas --min-interval raises a maximum that would be below it', async () => {
    const endpointId = await makeEndpoint()
    await send('PATCH', `/endpoints/${endpointId}`, { maxIntervalMs: 120_000 })
    await json('tenants quotas shop --min-interval 5m')
    const { body } = await send('GET', `/endpoints/${endpointId}`)
    expect(body).toMatchObject({ minIntervalMs: 300_000, maxIntervalMs: 300_000 })
  })

  it('quotas --min-interval holds an archived endpoint too, for when it comes back', async () => {
    const path = `/endpoints/${await makeEndpoint()}`
    await send('POST', `${path}/archive`)
    await json('tenants quotas shop --min-interval 5m')
    expect((await send('GET', path)).body).toMatchObject({ status: 'archived', nextRunAt: null })
    const { body } = await send('POST', `${path}/resume`)
    expect(body).toMatchObject({ status: 'active', minIntervalMs: 300_000 })
  })

  it('rename changes the name and nothing else', async () => {
    expect(await json(`tenants rename shop "Example Inc."`)).toMatchObject({
      id,
      name: 'Example Inc.',
    })
    expect((await json<{ name: string }>(`tenants show ${id}`)).name).toBe('Example Inc.')
    expect(await actions()).toContain('tenant.rename')
    expect(await run('tenants rename "Example Inc." " "')).toMatchObject({ exitCode: 1 })
  })

  it('delete asks first, and then leaves nothing but the entry that says so', async () => {
    const endpointId = await makeEndpoint()
    await send('POST', `/endpoints/${endpointId}/run`)
    const other = await json<Created>('tenants create other')
    for (const line of ['tenants delete shop', 'tenants delete shop --confirm other']) {
      const { exitCode, stderr } = await run(line)
      expect(exitCode).toBe(1)
      expect(stderr).toContain(`this deletes tenant "shop" (${id})`)
    }
    expect((await send('GET', '/tenant')).status).toBe(200)

    const deleted = await json<{ deleted: boolean; rows: number }>(
      'tenants delete shop --confirm shop',
    )
    expect(deleted).toMatchObject({ id, name: 'shop', deleted: true })
    expect(deleted.rows).toBeGreaterThan(5)
    now += lookUpTtlMs
    expect((await send('GET', '/tenant')).status).toBe(401)
    const left = await json<{ name: string }[]>('tenants list')
    expect(left.map(({ name }) => name)).toEqual(['other'])
    expect(await actions()).toEqual(['tenant.delete'])
    expect(await store.system((rows) => rows.deleteRowsOf(id, 100))).toBe(0)
    const others = await send('GET', '/tenant', undefined, other.key.key)
    expect(others.status).toBe(200)
    expect(await run('tenants delete shop --yes')).toMatchObject({ exitCode: 1 })
  })

  it('delete takes many rows in batches', async () => {
    const endpointId = await makeEndpoint()
    await store.tenant(id, async (rows) => {
      const { endpoint } = (await rows.endpoints.read(endpointId))!
      for (let n = 0; n < 1_200; n++) {
        await rows.audit.append({
          actor: 'test',
          action: 'test',
          subject: endpoint.id,
          before: null,
          after: null,
          reason: null,
        })
      }
    })
    let batches = 0
    for (;;) {
      const gone = await store.system((rows) => rows.deleteRowsOf(id, 500))
      expect(gone).toBeLessThanOrEqual(500)
      if (gone === 0) break
      batches++
    }
    expect(batches).toBeGreaterThanOrEqual(3)
  })
}

describe('remedies of operators on SQLite', () => {
  describeRemedies(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kron-remedies-db-'))
    return { url: join(folder, 'kron.db'), drop: () => rm(folder, { recursive: true }) }
  })
})

const server = inject('postgresUrl')

describe.runIf(server !== null)('remedies of operators on PostgreSQL', () => {
  describeRemedies(async () => {
    const url = await createDatabase(server!)
    return { url, drop: () => dropDatabase(server!, url) }
  })
})
