import type Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { migratedDatabase } from '../../../testing/migrated-database.js'
import { sampleRun } from '../../../testing/sample-endpoint.js'
import { sample, sampleJob } from '../../../testing/store/world-conformance.js'
import { noSystemQuotas, type Tenant, unlimited } from '../../domain/index.js'
import { SqliteStatements } from '../sqlite/sqlite-sql.js'
import type { SystemTransaction } from '../system-transaction.js'
import type { TenantTransaction } from '../tenant-transaction.js'
import { systemTables } from './system-tables.js'
import { nothingYet, tenantTables } from './tenant-tables.js'

/*
 * What the port does not show: rows that tell where work goes on, and a database with no tenant or
 * one that can't be written to. The texts of these statements are the same on both databases.
 */

const day = 86_400_000
const now = 1_800_000_000_000
const tenant: Tenant = {
  id: 'ten_1',
  name: 'a tenant',
  createdAt: now,
  quotas: unlimited,
  retention: { runDays: 10, runsPerEndpoint: 100, bodyDays: 1 },
}

let database: Database.Database
beforeEach(() => {
  database = migratedDatabase()
})
afterEach(() => void database.close())

const sqlAt = (at: number) => new SqliteStatements(database).at(at, () => at)
const systemAt = (at: number): SystemTransaction => systemTables(sqlAt(at), noSystemQuotas)
const ofTenant = (): TenantTransaction =>
  tenantTables(sqlAt(now), tenant.id, noSystemQuotas, nothingYet())

describe('the first tenant', () => {
  it('is made where there is none, and once', async () => {
    const rows = systemAt(now)
    expect(await rows.insertFirstTenant(tenant)).toBe(true)
    expect(await rows.insertFirstTenant({ ...tenant, id: 'ten_2' })).toBe(false)
    expect(await rows.tenants(5, null)).toEqual([tenant])
  })
})

describe('a write to see whether there can be one', () => {
  it('leaves one row, however often it is done', async () => {
    await systemAt(5).probeWrite()
    await systemAt(9).probeWrite()
    expect(database.prepare('SELECT * FROM write_probe').all()).toEqual([{ id: 1, at: 9 }])
  })

  it('fails where nothing can be written', async () => {
    database.pragma('query_only = ON')
    await expect(systemAt(5).probeWrite()).rejects.toThrow(/readonly/)
  })
})

describe('a look for bodies that are old', () => {
  const [ahead, behind] = ['ten_0', 'ten_2']

  beforeEach(async () => {
    const rows = ofTenant()
    const job = sampleJob(tenant, now)
    const { endpoint, plan } = sample(tenant, job.id, now)
    // In the order of their ids: the first that a table has must not be taken for the one asked for.
    for (const id of [ahead, tenant.id, behind]) await systemAt(now).insertTenant({ ...tenant, id })
    await rows.jobs.insert(job)
    await rows.endpoints.insert(endpoint, plan)
    for (const days of [5, 4, 3, 0]) {
      const run = sampleRun(now - days * day, { endpointId: endpoint.id, tenantId: tenant.id })
      expect(await rows.runs.insert(run)).toBe(true)
    }
    database.exec(`UPDATE runs SET body = x'00'`)
  })

  const prunedBefore = (id: string): number => {
    const text = 'SELECT bodies_pruned_before FROM tenants WHERE tenant_id = ?'
    return database.prepare(text).pluck().get(id) as number
  }

  it('goes on where a full batch ended, and past all that is old after the last', async () => {
    const batch = async () => {
      const { bodies } = await systemAt(now).prune(tenant, 2)
      return { bodies, daysAgo: (now - prunedBefore(tenant.id)) / day }
    }
    expect(await batch()).toEqual({ bodies: 2, daysAgo: 4 })
    expect(await batch()).toEqual({ bodies: 1, daysAgo: 1 })
    expect(await batch()).toEqual({ bodies: 0, daysAgo: 1 })
  })

  it('goes on for each tenant where its own one was', async () => {
    const at = database.prepare('UPDATE tenants SET bodies_pruned_before = ? WHERE tenant_id = ?')
    at.run(now, ahead)
    expect(await systemAt(now).prune(tenant, 100)).toMatchObject({ bodies: 3 })
    const found = [ahead, tenant.id, behind].map(prunedBefore)
    expect(found).toEqual([now, now - day, 0])
  })
})
