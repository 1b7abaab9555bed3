import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { OwnDatabase } from '../../../testing/own-database.js'
import { hour, type World } from '../../../testing/store/world-conformance.js'
import type { ClaimedRun } from '../index.js'

const server = inject('postgresUrl')
const ofRun = 'endpoint_id = $1 AND scheduled_for = $2'
const keyOf = ({ endpointId, scheduledFor }: ClaimedRun) => [endpointId, scheduledFor]

describe.runIf(server !== null)('an overlapping run whose lease has ended', () => {
  const database = new OwnDatabase(server)
  beforeAll(database.open)
  afterAll(database.close)

  async function startOverlapping(world: World, count: number): Promise<readonly ClaimedRun[]> {
    const place = await world.place()
    const change = { concurrency: 'allow', maxExecutionTimeMs: hour } as const
    for (let n = 0; n < count; n++) await world.due(place, change)
    return (await world.claim()).claimed
  }

  it('is left to who has it locked, and lost later', async () => {
    const { world, admin, other } = database
    const [locked, free] = await startOverlapping(world, 2)
    await admin.query('UPDATE runs SET overlap_lease = 1 WHERE overlap_lease IS NOT NULL')
    await other.query('BEGIN')
    await other.query(`SELECT 1 FROM runs WHERE ${ofRun} FOR UPDATE`, keyOf(locked!))
    const lost = async () => (await world.claim()).ended.map(({ endpointId }) => endpointId)
    expect(await lost()).toEqual([free!.endpointId])
    await other.query('COMMIT')
    expect(await lost()).toEqual([locked!.endpointId])
    await world.leave()
  })

  it('is not recorded any more by who waited for its loss', async () => {
    const { world, other } = database
    const [run] = await startOverlapping(world, 1)
    await other.query('BEGIN')
    await other.query(
      `UPDATE runs SET status = 'cancelled', reason = 'worker_lost', overlap_lease = NULL
       WHERE ${ofRun}`,
      keyOf(run!),
    )
    const recorded = world.recordOne(run!, { status: 'failure' })
    await database.somebodyWaits()
    await other.query('COMMIT')
    expect(await recorded).toBe('fenced')
    await world.leave()
  })
})
