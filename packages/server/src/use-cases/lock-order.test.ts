import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { OwnDatabase } from '../../testing/own-database.js'
import { type Place, World } from '../../testing/store/world-conformance.js'
import { createAddressGuard } from '../dispatch/index.js'
import { createVault, newSealingKeyText, parseSealingKeys } from '../secrets/index.js'
import { openPostgresStore } from '../store/postgres/postgres-store.js'
import { type Call, inCall } from './call.js'
import { archiveEndpoint, pauseEndpoint, resumeEndpoint, runEndpoint } from './endpoints/index.js'
import { deleteJob, pauseJob, resumeJob } from './jobs.js'
import { changeQuotas } from './tenants.js'

const server = inject('postgresUrl')
const vault = createVault(parseSealingKeys(newSealingKeyText(), 'a test'))
const minute = 60_000

describe.runIf(server !== null)('calls that come at once', () => {
  const database = new OwnDatabase(server)
  beforeAll(database.open)
  afterAll(database.close)

  function calls<T>(world: World, { tenant }: Place, work: (call: Call) => Promise<T>): Promise<T> {
    const ports = { store: world.store, vault, addressGuard: createAddressGuard() }
    return inCall(ports, { tenantId: tenant.id, actor: 'key:1' }, work)
  }

  const isFree = async (table: string, column: string, id: string): Promise<boolean> => {
    const text = `SELECT 1 FROM ${table} WHERE ${column} = $1 FOR UPDATE NOWAIT`
    return (await database.other.query(text, [id])).rowCount === 1
  }

  it('wait for a job before they hold the plan of an endpoint', async () => {
    const { world } = database
    const place = await world.place()
    const { endpoint } = await world.endpoint(place)
    await calls(world, place, (call) => archiveEndpoint(call, endpoint.id))
    await database.other.query('BEGIN')
    await database.other.query('SELECT 1 FROM jobs WHERE id = $1 FOR UPDATE', [place.job.id])
    const resumed = calls(world, place, (call) => resumeEndpoint(call, endpoint.id))
    await database.somebodyWaits()
    expect(await isFree('plans', 'endpoint_id', endpoint.id)).toBe(true)
    await database.other.query('COMMIT')
    expect((await resumed).endpoint.archivedAt).toBe(null)
  })

  it('wait for plans before they hold the tenant', async () => {
    const { world } = database
    const place = await world.place()
    const { endpoint } = await world.endpoint(place, {}, { source: 'quota' })
    await database.other.query('BEGIN')
    await database.other.query('SELECT 1 FROM plans WHERE endpoint_id = $1 FOR UPDATE', [
      endpoint.id,
    ])
    const changed = calls(world, place, (call) => changeQuotas(call, { runsPerMonth: 5 }))
    await database.somebodyWaits()
    expect(await isFree('tenants', 'tenant_id', place.tenant.id)).toBe(true)
    await database.other.query('COMMIT')
    expect((await changed).quotas.runsPerMonth).toBe(5)
  })

  it('never wait for each other in a circle', async () => {
    const url = new URL(database.url)
    url.searchParams.set('application_name', 'circles')
    const store = openPostgresStore({ url: url.href })
    await store.migrate()
    const world = new World(store)
    for (let round = 0; round < 5; round++) {
      const place = await world.place()
      const ids: string[] = []
      for (let n = 0; n < 12; n++) {
        const planned = (now: number) => ({ nextRunAt: now + minute })
        ids.push((await world.endpoint(place, {}, planned)).endpoint.id)
      }
      // Runs that are claimed ahead are taken back by those who pause.
      const { claimed } = await world.claim({ withinMs: 2 * minute })
      expect(claimed.filter(({ endpointId }) => ids.includes(endpointId))).toHaveLength(12)
      const call = (work: (call: Call) => Promise<unknown>) => calls(world, place, work)
      const pausedUntil = Date.now() + 60 * minute
      await Promise.allSettled([
        call((one) => pauseJob(one, place.job.id)),
        ...ids.map((id) => call((one) => pauseEndpoint(one, id, { pausedUntil, reason: null }))),
        call((one) => changeQuotas(one, { endpoints: 100 })),
      ])
      await Promise.allSettled([
        call((one) => resumeJob(one, place.job.id)),
        ...ids.map((id) => call((one) => archiveEndpoint(one, id))),
        call((one) => changeQuotas(one, { endpoints: 200 })),
      ])
      await Promise.allSettled([
        ...ids.map((id) => call((one) => resumeEndpoint(one, id))),
        call((one) => pauseJob(one, place.job.id)),
        ...ids.map((id) => call((one) => runEndpoint(one, id))),
        call((one) => deleteJob(one, place.job.id, null)),
      ])
    }
    await store.close()
    expect(await database.deadlocksOf('circles')).toBe(0)
  })
})
