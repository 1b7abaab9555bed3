import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { OwnDatabase } from '../../../testing/own-database.js'
import type { Place } from '../../../testing/store/world-conformance.js'
import { monthEnd, type Plan } from '../../domain/index.js'
import type { SystemTransaction, TenantTransaction } from '../index.js'

const server = inject('postgresUrl')

type Change = (rows: TenantTransaction, place: Place) => Promise<unknown>
type SystemChange = (rows: SystemTransaction, place: Place) => Promise<unknown>

describe.runIf(server !== null)('a change of plans', () => {
  const database = new OwnDatabase(server)
  beforeAll(database.open)
  afterAll(database.close)

  const lock = (id: string, how = '') =>
    database.other.query(`SELECT 1 FROM plans WHERE endpoint_id = $1 FOR UPDATE ${how}`, [id])

  it.each<[string, Change]>([
    ['suspending a job', (rows, { job }) => rows.plans.suspend(job.id, 'paused')],
    ['letting a job go on', (rows, { job }) => rows.plans.unsuspend(job.id)],
    ['looking for its open runs', (rows, { job }) => rows.runs.open({ jobId: job.id })],
    ['locking a tenant', (rows) => rows.tenant.lock()],
    ['deleting a job', (rows, { job }) => rows.jobs.delete(job.id)],
    ['raising quotas', (rows, { tenant }) => rows.tenant.update({ quotas: tenant.quotas })],
  ])('of many at once holds none while it waits for the first: %s', async (_, change) => {
    const { world } = database
    const place = await world.place()
    await expectInOrder(place, { source: 'quota' }, () =>
      world.as(place.tenant, (rows) => change(rows, place)),
    )
  })

  it.each<[string, SystemChange]>([
    ['removing a tenant', (rows, { tenant }) => rows.deleteRowsOf(tenant.id, 100)],
    ['raising the quota of all', (rows) => rows.endSystemHolds()],
  ])('of the system holds none while it waits for the first: %s', async (_, change) => {
    const { world } = database
    const place = await world.place()
    const waiting = { source: 'system-quota', nextRunAt: monthEnd(await world.now()) } as const
    await expectInOrder(place, waiting, () => world.store.system((rows) => change(rows, place)))
    await world.leave()
  })

  async function expectInOrder(
    place: Place,
    planned: Partial<Plan>,
    change: () => Promise<unknown>,
  ): Promise<void> {
    const { world, admin } = database
    const ids: string[] = []
    for (let n = 0; n < 5; n++) ids.push((await world.endpoint(place, {}, planned)).endpoint.id)
    const [first, ...others] = ids.toSorted()
    // Its row moves behind the others: who takes rows as they lie has those before it.
    for (const by of [1, -1]) {
      const text = 'UPDATE plans SET wake_at = wake_at + $2 WHERE endpoint_id = $1'
      await admin.query(text, [first, by])
    }
    await database.other.query('BEGIN')
    await lock(first!)
    const changed = change()
    await database.somebodyWaits()
    for (const id of others) expect((await lock(id, 'NOWAIT')).rowCount).toBe(1)
    await database.other.query('COMMIT')
    await changed
  }

  it('is waited for by who settles a claim, in the order of their ids', async () => {
    const { world, admin } = database
    const place = await world.place()
    for (let n = 0; n < 5; n++) await world.due(place)
    const { claimed } = await world.claim({ claimId: 'of five' })
    const [first, ...others] = claimed.map(({ endpointId }) => endpointId).sort()
    await admin.query('UPDATE plans SET fence = fence WHERE endpoint_id = $1', [first])
    await database.other.query('BEGIN')
    await lock(first!)
    const settled = world.store.settleClaim('of five', world.planning)
    await database.somebodyWaits()
    for (const id of others) expect((await lock(id, 'NOWAIT')).rowCount).toBe(1)
    await database.other.query('COMMIT')
    expect((await settled).claimed).toHaveLength(5)
    await world.leave()
  })

  it('that suspends a job takes nothing back that came due while it waited', async () => {
    const { world, other } = database
    const place = await world.place()
    const soon = (now: number) => ({ nextRunAt: now + 1000 })
    const made = await world.due(place, {}, soon)
    const run = await world.claimOne()
    await other.query('BEGIN')
    await lock(made.endpoint.id)
    const suspended = world.as(place.tenant, (rows) => rows.plans.suspend(place.job.id, 'paused'))
    await database.somebodyWaits()
    await world.pass(run.scheduledFor)
    await other.query('COMMIT')
    expect(await suspended).toEqual([])
    expect(await world.recordOne(run)).toBe('recorded')
    await world.leave()
  })

  it('of one endpoint holds nothing else while it waits for its plan', async () => {
    const { world } = database
    const place = await world.place()
    const { endpoint } = await world.endpoint(place)
    await database.other.query('BEGIN')
    await lock(endpoint.id)
    const got = world.as(place.tenant, (rows) => rows.endpoints.get(endpoint.id))
    await database.somebodyWaits()
    const text = 'SELECT 1 FROM endpoints WHERE id = $1 FOR UPDATE NOWAIT'
    expect((await database.other.query(text, [endpoint.id])).rowCount).toBe(1)
    await database.other.query('COMMIT')
    await got
  })

  it('of one endpoint finds what was changed while it waited', async () => {
    const { world } = database
    const place = await world.place()
    const { endpoint } = await world.endpoint(place)
    await database.other.query('BEGIN')
    await lock(endpoint.id)
    await database.other.query('UPDATE endpoints SET version = 7 WHERE id = $1', [endpoint.id])
    const got = world.as(place.tenant, (rows) => rows.endpoints.get(endpoint.id))
    await database.somebodyWaits()
    await database.other.query('COMMIT')
    expect((await got)?.endpoint.version).toBe(7)
  })
})
