import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createDatabase, dropDatabase } from '../../../../../tools/postgres/index.ts'
import { World } from '../conformance/world-conformance.js'
import { openPostgresStore } from './postgres-store.js'

const server = inject('postgresUrl')

describe.runIf(server !== null)('a connection that breaks', () => {
  let url: string
  let admin: pg.Client
  let world: World

  beforeAll(async () => {
    url = await createDatabase(server!)
    const store = openPostgresStore({ url, connections: 1 })
    await store.migrate()
    world = new World(store)
    admin = new pg.Client(url)
    await admin.connect()
  })

  afterAll(async () => {
    await admin.end()
    await world.store.close()
    await dropDatabase(server!, url)
  })

  /** Ends the connections of the store, and waits until none of them is left. */
  async function breakAll(): Promise<void> {
    const { rows } = await admin.query<{ pid: number }>(
      `SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    )
    const broken = rows.map(({ pid }) => pid)
    const left = async (): Promise<number> => {
      const text = 'SELECT 1 FROM pg_stat_activity WHERE pid = ANY($1)'
      return (await admin.query(text, [broken])).rowCount!
    }
    while ((await left()) > 0);
  }

  it('between two statements fails the transaction, and nothing else', async () => {
    const { tenant } = await world.place()
    const broken = world.as(tenant, async (rows) => {
      await rows.tenant.get()
      await breakAll()
      return rows.tenant.get()
    })
    await expect(broken).rejects.toMatchObject({ name: 'StoreError', applied: 'no' })
    expect(await world.as(tenant, (rows) => rows.tenant.get())).toMatchObject({ id: tenant.id })
  })

  it('while nobody uses it is replaced', async () => {
    const { tenant } = await world.place()
    await breakAll()
    const again = async () => world.as(tenant, (rows) => rows.tenant.get()).catch(() => null)
    expect((await again()) ?? (await again())).toMatchObject({ id: tenant.id })
  })
})
