import { describe, expect } from 'vitest'
import { requestRun } from './requested-conformance.js'
import { type Check, hour, type World } from './world-conformance.js'

const settle = async (world: World, claimId: string) =>
  (await world.store.settleClaim(claimId, world.newPlanning())).claimed

const byId = (a: { endpointId: string }, b: { endpointId: string }) =>
  a.endpointId < b.endpointId ? -1 : 1

export function describeSettle(check: Check): void {
  describe('a claim whose answer got lost', () => {
    check('that took effect is answered with the same runs, as often as asked', async (world) => {
      const place = await world.place()
      await world.due(place)
      await world.due(place, { concurrency: 'allow', maxExecutionTimeMs: hour })
      await world.due(place, { concurrency: 'replace', maxExecutionTimeMs: hour })
      const asked = await world.endpoint(place, {}, (now) => ({ nextRunAt: now + hour }))
      await requestRun(world, asked)
      const { claimed } = await world.claim({ claimId: 'lost answer' })
      expect(claimed).toHaveLength(4)
      // What a worker needs to execute them; the context only stands in the rows.
      const expected = claimed.map(({ context, replaces, ...run }) => run).sort(byId)
      for (let n = 0; n < 2; n++) {
        const found = await settle(world, 'lost answer')
        expect(found.map(({ context, replaces, ...run }) => run).sort(byId)).toEqual(expected)
      }
      for (const run of await settle(world, 'lost answer')) {
        expect(await world.recordOne(run)).toBe('recorded')
      }
    })

    check('that took effect tells all that its runs need, and nothing else', async (world) => {
      const made = await world.due(await world.place(), {}, { failureCount: 3 })
      const { claimed } = await world.claim({ claimId: 'all told' })
      const stranger = world.newPlanning()
      const { now, ...found } = await world.store.settleClaim('all told', stranger)
      expect(found).toEqual({
        claimed: [{ ...claimed[0], context: { failureCount: 3 }, replaces: 'running' }],
        ended: [],
        full: false,
        nextWakeAt: null,
        nextCrowdAt: null,
      })
      expect(stranger.knows(made.endpoint.id, made.endpoint.version)).toBe(true)
    })

    check('that did not take effect never will', async (world) => {
      const place = await world.place()
      const made = await world.due(place)
      expect(await settle(world, 'slow')).toEqual([])
      const late = world.claim({ claimId: 'slow' })
      await expect(late).rejects.toMatchObject({ code: 'conflict', applied: 'no' })
      expect(await world.runs(made)).toEqual([])
      expect(await world.plan(made)).toEqual(made.plan)
      const usage = await world.as(place.tenant, (rows) => rows.tenant.usage())
      expect(usage.runs).toBe(0)
      expect(await settle(world, 'slow')).toEqual([])
      expect((await world.claimOne()).endpointId).toBe(made.endpoint.id)
    })

    check('of which one settles while it is made, took effect or never will', async (world) => {
      const place = await world.place()
      for (let n = 0; n < 10; n++) {
        const made = await world.due(place)
        const claim = world.claim({ claimId: `race ${n}` }).then(
          ({ claimed }) => claimed,
          () => [],
        )
        const [taken, found] = await Promise.all([claim, settle(world, `race ${n}`)])
        expect(found).toHaveLength(taken.length)
        const left = taken.length === 1 ? taken : (await world.claim()).claimed
        expect(left.map(({ endpointId }) => endpointId)).toEqual([made.endpoint.id])
      }
    })

    check('leaves out what has ended, was released or is gone', async (world) => {
      const place = await world.place()
      for (let n = 0; n < 4; n++) await world.due(place)
      const { claimed } = await world.claim({ claimId: 'c' })
      const [ended, released, gone, left] = claimed
      await world.recordOne(ended!)
      await world.recordOne(released!, { status: 'released' })
      await world.as(place.tenant, (rows) => rows.endpoints.delete(gone!.endpointId))
      const found = await settle(world, 'c')
      expect(found.map(({ endpointId }) => endpointId)).toEqual([left!.endpointId])
    })

    check('leaves out what was given to another worker since', async (world) => {
      const place = await world.place()
      await world.due(place)
      await world.due(place, { concurrency: 'allow', maxExecutionTimeMs: hour })
      const { claimed } = await world.claim({ claimId: 'first' })
      for (const run of claimed) await world.recordOne(run, { status: 'released' })
      const again = await world.claim({ claimId: 'second', owner: 'wrk_2' })
      expect(again.claimed).toHaveLength(2)
      expect(await settle(world, 'first')).toEqual([])
      expect(await settle(world, 'second')).toHaveLength(2)
    })

    check('leaves out what no longer holds its endpoint', async (world) => {
      const place = await world.place()
      const made = await world.due(place)
      await world.claim({ claimId: 'not held' })
      const plan = { ...(await world.plan(made)), held: null }
      await world.as(place.tenant, (rows) => rows.plans.put(plan))
      expect(await settle(world, 'not held')).toEqual([])
    })

    check('of nothing is a claim of nothing', async (world) => {
      await world.claim({ claimId: 'empty' })
      expect(await settle(world, 'empty')).toEqual([])
      await expect(world.claim({ claimId: 'empty' })).rejects.toMatchObject({ code: 'conflict' })
    })
  })
}
