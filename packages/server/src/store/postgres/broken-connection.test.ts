import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { OwnDatabase } from '../../../testing/own-database.js'

const server = inject('postgresUrl')

describe.runIf(server !== null)('a connection that breaks', () => {
  const database = new OwnDatabase(server, { connections: 1 })
  beforeAll(database.open)
  afterAll(database.close)

  /** Ends the connections of the store, and waits until none of them is left. */
  async function breakAll(): Promise<void> {
    const { rows } = await database.admin.query<{ pid: number }>(
      `SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'kron'`,
    )
    const broken = rows.map(({ pid }) => pid)
    const left = async (): Promise<number> => {
      const text = 'SELECT 1 FROM pg_stat_activity WHERE pid = ANY($1)'
      return (await database.admin.query(text, [broken])).rowCount!
    }
    while ((await left()) > 0);
  }

  it('between two statements fails the transaction, and nothing else', async () => {
    const { tenant } = await database.world.place()
    const broken = database.world.as(tenant, async (rows) => {
      await rows.tenant.get()
      await breakAll()
      return rows.tenant.get()
    })
    await expect(broken).rejects.toMatchObject({ name: 'StoreError', applied: 'no' })
    expect(await database.world.as(tenant, (rows) => rows.tenant.get())).toMatchObject({
      id: tenant.id,
    })
  })

  it('while nobody uses it is replaced', async () => {
    const { tenant } = await database.world.place()
    await breakAll()
    const again = async () =>
      database.world.as(tenant, (rows) => rows.tenant.get()).catch(() => null)
    expect((await again()) ?? (await again())).toMatchObject({ id: tenant.id })
  })
})
