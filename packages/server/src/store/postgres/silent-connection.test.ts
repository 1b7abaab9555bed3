import pg from 'pg'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  inject,
  it,
  vi,
} from 'vitest'
import { DatabaseLink } from '../../../testing/database-link.js'
import { OwnDatabase } from '../../../testing/own-database.js'
import { World } from '../../../testing/store/world-conformance.js'
import type { Claim } from '../index.js'
import { openPostgresStore } from './postgres-store.js'

const server = inject('postgresUrl')

describe.runIf(server !== null)('a connection that goes silent', () => {
  const database = new OwnDatabase(server)
  let link: DatabaseLink
  let world: World

  beforeAll(database.open)
  afterAll(database.close)
  beforeEach(async () => {
    link = await DatabaseLink.to(database.url)
    const limits = { statementTimeoutMs: 2_000, hotTimeoutMs: 500, silenceMs: 1_000 }
    world = new World(openPostgresStore({ url: link.url, ...limits }))
    await world.store.migrate()
  })
  afterEach(async () => {
    await world.store.close()
    await link.close()
  })

  /** As workers do it: the database takes a while to give up on a transaction without a client. */
  async function settled(claimId: string): Promise<Claim> {
    const answer = await world.store.settleClaim(claimId, world.planning).catch(() => null)
    return answer ?? settled(claimId)
  }

  const silent = { name: 'StoreError', code: 'unavailable', applied: 'no' }

  it('fails one claim, and not another one for each that went with it', async () => {
    await Promise.all([world.claim(), world.claim(), world.claim()])
    link.silence()
    await expect(world.claim()).rejects.toMatchObject(silent)
    await expect(world.claim()).resolves.toMatchObject({ claimed: [] })
  })

  it('fails who only asks for the time', async () => {
    await world.store.time()
    link.silence()
    const { code, name } = silent
    await expect(world.store.time()).rejects.toMatchObject({ name, code })
    await expect(world.store.time()).resolves.toBeGreaterThan(0)
  })

  it('is not even asked to roll back', async () => {
    const { tenant } = await world.place()
    // The driver would keep it back until the answer to the statement before it has come.
    const asked = vi.spyOn(pg.Client.prototype, 'query')
    const interrupted = world.as(tenant, async (rows) => {
      await rows.tenant.get()
      link.silence()
      return rows.tenant.get()
    })
    await expect(interrupted).rejects.toMatchObject(silent)
    const texts = JSON.stringify(asked.mock.calls)
    asked.mockRestore()
    expect(texts).toContain('FROM tenants')
    expect(texts).not.toContain('ROLLBACK')
  })

  it('at the commit of a claim leaves it to be settled', async () => {
    const place = await world.place()
    const { endpoint } = await world.due(place)
    link.silenceAt('COMMIT')
    const claimId = 'claim that was cut off'
    await expect(world.claim({ claimId })).rejects.toMatchObject({ ...silent, applied: 'unknown' })
    expect((await settled(claimId)).claimed).toEqual([])
    const again = await world.claim()
    expect(again.claimed.map(({ endpointId }) => endpointId)).toEqual([endpoint.id])
  })
})

describe.runIf(server !== null)('a pool without a free connection', () => {
  const database = new OwnDatabase(server, { connections: 1, connectTimeoutMs: 200 })
  beforeAll(database.open)
  afterAll(database.close)

  it('fails as a store that is away', async () => {
    const { world } = database
    const { tenant } = await world.place()
    await world.as(tenant, async () => {
      const waiting = world.as(tenant, (rows) => rows.secrets.read('default'))
      await expect(waiting).rejects.toMatchObject({
        name: 'StoreError',
        code: 'unavailable',
        applied: 'no',
      })
    })
  })
})
