import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createDatabase, dropDatabase } from '../../../../tools/postgres/index.ts'
import { defaultRetention, newId, type Quotas, type Retention, unlimited } from '../domain/index.js'
import type { Store } from '../store/index.js'
import { openPostgresStore } from '../store/postgres/postgres-store.js'
import { openSqliteStore } from '../store/sqlite/sqlite-store.js'
import { changeQuotas, changeRetention } from './tenants.js'

const server = inject('postgresUrl')

function describeChanges(open: () => Promise<Store>): void {
  let store: Store

  beforeAll(async () => {
    store = await open()
    await store.migrate()
  })
  afterAll(() => store.close())

  async function tenant(): Promise<string> {
    const id = newId('ten', Date.now())
    const made = { id, name: 'many', createdAt: 0, quotas: unlimited, retention: defaultRetention }
    await store.system((rows) => rows.insertTenant(made))
    return id
  }

  const quotas = (id: string, change: Partial<Quotas>) =>
    store.tenant(id, (rows) => changeQuotas({ rows, tenantId: id, actor: 'operator' }, change))

  const retention = (id: string, change: Partial<Retention>) =>
    store.tenant(id, (rows) => changeRetention({ rows, tenantId: id, actor: 'operator' }, change))

  it('are all kept when they are made at the same time', async () => {
    for (let round = 1; round <= 5; round++) {
      const id = await tenant()
      const limits = { endpoints: round, runsPerMonth: 2, aiCallsPerMonth: 3, aiTokensPerMonth: 4 }
      const kept = { runDays: round, runsPerEndpoint: 6, bodyDays: 7 }
      await Promise.all([
        ...Object.entries(limits).map(([name, limit]) => quotas(id, { [name]: limit })),
        ...Object.entries(kept).map(([name, value]) => retention(id, { [name]: value })),
      ])
      const found = await store.tenant(id, (rows) => rows.tenant.get())
      expect(found.quotas).toEqual({ ...unlimited, ...limits })
      expect(found.retention).toEqual(kept)
    }
  })

  it('say in the audit log what was there before each', async () => {
    const id = await tenant()
    await Promise.all([1, 2].map((endpoints) => quotas(id, { endpoints })))
    const page = { limit: 5, after: null }
    const { items } = await store.tenant(id, (rows) => rows.audit.list(page))
    const first = items.find(({ before }) => (before as Quotas).endpoints === null)!
    const second = items.find((item) => item !== first)!
    expect(items).toHaveLength(2)
    expect(second.before).toEqual(first.after)
  })
}

describe('changes of a tenant on SQLite', () => {
  describeChanges(async () => openSqliteStore({ path: ':memory:', now: () => Date.now() }))
})

describe.runIf(server !== null)('changes of a tenant on a real PostgreSQL', () => {
  let url: string
  beforeAll(async () => {
    url = await createDatabase(server!)
  })
  afterAll(() => dropDatabase(server!, url))

  describeChanges(async () => openPostgresStore({ url }))
})
