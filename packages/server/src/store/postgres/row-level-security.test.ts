import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createDatabase, dropDatabase } from '../../../../../tools/postgres/index.ts'
import { defaultRetention, newId, unlimited } from '../../domain/index.js'
import { tenantTables } from '../schema/migrations.js'
import type { Store } from '../store.js'
import { Connections } from './connections.js'
import { migratePostgres } from './postgres-migrate.js'
import { openPostgresStore } from './postgres-store.js'

const server = inject('postgresUrl')
/** Shared by everybody: which claims there were, sums over all, and the version of the schema. */
const shared = ['claims', 'migrations', 'additions', 'sealing_keys', 'system_usage', 'write_probe']
const limits = { connectTimeoutMs: 10_000, statementTimeoutMs: 10_000, silenceMs: 4_000 }
const mine = newId('ten', Date.now())
const theirs = newId('ten', Date.now())

describe.runIf(server !== null)('row-level security', () => {
  let url: string
  let store: Store
  let connections: Connections
  let admin: pg.Client

  beforeAll(async () => {
    url = await createDatabase(server!)
    store = openPostgresStore({ url })
    await store.migrate()
    // One connection, so that each transaction follows another's on it.
    connections = new Connections({ url, connections: 1, ...limits })
    await migratePostgres(connections)
    admin = new pg.Client({ connectionString: url })
    await admin.connect()
    for (const id of [mine, theirs]) {
      const tenant = { id, name: id, createdAt: 0, quotas: unlimited, retention: defaultRetention }
      await store.system((rows) => rows.insertTenant(tenant))
    }
  })

  afterAll(async () => {
    await admin.end()
    await connections.close()
    await store.close()
    await dropDatabase(server!, url)
  })

  it('is forced on every table but those that nobody owns', async () => {
    const { rows } = await admin.query<{ relname: string; secured: boolean; tenant: boolean }>(
      `SELECT relname, relrowsecurity AND relforcerowsecurity
           AND EXISTS (SELECT 1 FROM pg_policy WHERE polrelid = pg_class.oid) AS secured,
         EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = pg_class.oid
           AND attname = 'tenant_id' AND attnotnull) AS tenant
       FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace`,
    )
    const owned = rows.filter(({ relname }) => !shared.includes(relname))
    expect(owned.map(({ relname }) => relname).sort()).toEqual([...tenantTables].sort())
    expect(owned.filter(({ secured, tenant }) => !secured || !tenant)).toEqual([])
  })

  it.each(['NO FORCE', 'DISABLE'])(
    'is there again after the next start where somebody lifted it: %s',
    async (how) => {
      await admin.query(`ALTER TABLE usage ${how} ROW LEVEL SECURITY`)
      await migratePostgres(connections)
      const text = `SELECT relrowsecurity AND relforcerowsecurity AS secured FROM pg_class
        WHERE oid = 'public.usage'::regclass`
      expect((await admin.query(text)).rows).toEqual([{ secured: true }])
    },
  )

  it('hides what a query that forgot its tenant would find', async () => {
    const seen = await connections.transaction({ tenantId: mine }, (open) =>
      open.all<{ tenant_id: string }>('SELECT tenant_id FROM tenants'),
    )
    expect(seen).toEqual([{ tenant_id: mine }])
    const changed = await connections.transaction({ tenantId: mine }, (open) =>
      open.run(`UPDATE tenants SET name = 'taken'`),
    )
    expect(changed).toBe(1)
  })

  it('refuses a row for somebody else', async () => {
    const insert = connections.transaction({ tenantId: mine }, (open) =>
      open.run(`INSERT INTO usage VALUES ($1, '2026-01', 0, 1, 0, 0)`, [theirs]),
    )
    await expect(insert).rejects.toThrow(/row-level security/)
  })

  it('does not carry a tenant over to the next user of a connection', async () => {
    const failing = connections.transaction({ tenantId: mine }, async () => {
      throw new Error('undone')
    })
    await expect(failing).rejects.toThrow('undone')
    await connections.transaction({ tenantId: mine }, (open) => open.all('SELECT 1'))
    const [left] = await connections.query<{ tenant: string | null; scope: string; role: string }>(
      `SELECT current_setting('kron.tenant', true) AS tenant,
         current_setting('kron.scope', true) AS scope, current_user AS role`,
    )
    expect(left).toEqual({ tenant: '', scope: '', role: 'kron' })
    const seen = await connections.transaction({ tenantId: theirs }, (open) =>
      open.all<{ tenant_id: string }>('SELECT tenant_id FROM tenants'),
    )
    expect(seen).toEqual([{ tenant_id: theirs }])
  })

  it('keeps tenants apart on few connections that many use at once', async () => {
    const pool = new Connections({ url, connections: 3, ...limits })
    await migratePostgres(pool)
    const asked = Array.from({ length: 200 }, (_, n) => (n % 2 === 0 ? mine : theirs))
    const answers = await Promise.all(
      asked.map((tenantId) =>
        pool.transaction({ tenantId }, (open) =>
          open.all<{ tenant_id: string }>('SELECT tenant_id FROM tenants'),
        ),
      ),
    )
    await pool.close()
    expect(answers).toEqual(asked.map((tenantId) => [{ tenant_id: tenantId }]))
  })

  it.each([
    ['owns the tables and is no superuser', '', null],
    ['is above all policies and is no superuser', 'BYPASSRLS CREATEROLE', 'kron_tenant'],
  ])('holds for a login that %s', async (_, rights, tenantRole) => {
    const role = `owner_${mine.slice(-8)}`
    const database = new URL(url).pathname.slice(1)
    await admin.query(`CREATE ROLE ${role} LOGIN ${rights}`)
    await admin.query(`GRANT ALL ON DATABASE ${database} TO ${role}`)
    await admin.query(`CREATE SCHEMA ${role} AUTHORIZATION ${role}`)
    if (tenantRole !== null) {
      await admin.query(`GRANT ${tenantRole} TO ${role}`)
      await admin.query(`GRANT USAGE ON SCHEMA ${role} TO ${tenantRole}`)
    }
    const own = new URL(url)
    own.username = role
    own.searchParams.set('options', `-c search_path=${role}`)
    const owner = new Connections({ url: own.href, connections: 1, ...limits })
    try {
      await migratePostgres(owner)
      expect(owner.tenantRole).toBe(tenantRole)
      await owner.transaction('all', async (open) => {
        for (const id of [mine, theirs]) {
          await open.run(`INSERT INTO usage VALUES ($1, '2026-01', 0, 1, 0, 0)`, [id])
        }
      })
      const read = (open: { all<Row>(text: string): Promise<Row[]> }) =>
        open.all<{ tenant_id: string }>('SELECT tenant_id FROM usage')
      expect(await owner.transaction({ tenantId: mine }, read)).toEqual([{ tenant_id: mine }])
      const text = 'SELECT tenant_id FROM usage'
      if (tenantRole === null) expect(await owner.query(text)).toEqual([])
    } finally {
      await owner.close()
      await admin.query(`DROP OWNED BY ${role} CASCADE`)
      await admin.query(`DROP ROLE ${role}`)
    }
  })
})
