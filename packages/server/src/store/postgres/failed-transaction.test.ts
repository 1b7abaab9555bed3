import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { OwnDatabase } from '../../../testing/own-database.js'
import { sampleJob } from '../../../testing/store/world-conformance.js'

const server = inject('postgresUrl')

describe.runIf(server !== null)('a transaction of which a statement failed', () => {
  const database = new OwnDatabase(server, { connections: 1 })
  beforeAll(database.open)
  afterAll(database.close)

  /** PostgreSQL answers COMMIT with ROLLBACK then, and with no error. */
  it('has done nothing and says so, though its work went on as if nothing had been', async () => {
    const { world } = database
    const { tenant, job } = await world.place()
    const other = sampleJob(tenant, 5, { name: 'other' })
    const failed = world.as(tenant, async (rows) => {
      await rows.jobs.insert(other)
      const refused = rows.jobs.update({ ...job, name: 'a NUL \0 is no text' })
      await refused.catch(() => undefined)
      return 'done'
    })
    await expect(failed).rejects.toMatchObject({
      name: 'StoreError',
      code: 'broken',
      applied: 'no',
      message: 'PostgreSQL: the transaction was rolled back',
    })
    await world.as(tenant, async (rows) => {
      expect(await rows.jobs.get(other.id)).toBeNull()
      expect(await rows.jobs.get(job.id)).toEqual(job)
    })
  })
})
