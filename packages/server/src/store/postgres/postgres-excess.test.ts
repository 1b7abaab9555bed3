import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { OwnDatabase } from '../../../testing/own-database.js'
import { sampleRun } from '../../../testing/sample-endpoint.js'
import type { Tenant } from '../../domain/index.js'
import type { ExcessBounds, ExcessPruned } from '../index.js'

const server = inject('postgresUrl')
const retention = { runDays: 10, runsPerEndpoint: 1, bodyDays: 1 }

describe.runIf(server !== null)('two that look for runs beyond the number at once', () => {
  const database = new OwnDatabase(server)
  beforeAll(database.open)
  afterAll(database.close)

  /** A tenant whose endpoints have as many runs too many. */
  async function tenantWith(excess: readonly number[]): Promise<Tenant> {
    const place = await database.world.place({ retention })
    const ids: string[] = []
    for (const _ of excess) ids.push((await database.world.endpoint(place)).endpoint.id)
    ids.sort()
    await database.world.as(place.tenant, async (rows) => {
      for (const [n, endpointId] of ids.entries()) {
        for (let age = 0; age <= excess[n]!; age++) {
          const owner = { endpointId, tenantId: place.tenant.id }
          await rows.runs.insert(sampleRun(rows.now - age, owner))
        }
      }
    })
    return place.tenant
  }

  const step = (tenant: Tenant, most: ExcessBounds) =>
    database.world.store.system((rows) => rows.pruneExcess(tenant, most))

  /** The second begins before the first has committed, and has to wait for its rows. */
  async function overlapping(
    tenant: Tenant,
    first: ExcessBounds,
    second: ExcessBounds,
  ): Promise<ExcessPruned[]> {
    const begun = await database.world.store.system(async (rows) => {
      const did = await rows.pruneExcess(tenant, first)
      const other = step(tenant, second)
      await database.somebodyWaits()
      return { did, other }
    })
    return [begun.did, await begun.other]
  }

  it('leave nothing behind of what both of them saw', async () => {
    const tenant = await tenantWith([10])
    const five = { endpoints: 5, runs: 5 }
    expect(await overlapping(tenant, { ...five, runs: 3 }, five)).toEqual([
      { runs: 3, endpoints: 0, isPassEnd: false },
      { runs: 5, endpoints: 0, isPassEnd: false },
    ])
    expect(await step(tenant, five)).toEqual({ runs: 2, endpoints: 1, isPassEnd: true })
  })

  it('do not send each other back', async () => {
    const tenant = await tenantWith([2, 2, 2, 2])
    const [first, second] = await overlapping(
      tenant,
      { endpoints: 3, runs: 100 },
      { endpoints: 1, runs: 100 },
    )
    expect([first!.runs, second!.runs]).toEqual([6, 0])
    const rest = await step(tenant, { endpoints: 100, runs: 100 })
    expect(rest).toEqual({ runs: 2, endpoints: 1, isPassEnd: true })
  })
})
