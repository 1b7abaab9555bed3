import { describe, expect } from 'vitest'
import { monthEnd, type Tenant, unlimited } from '../../src/domain/index.js'
import { requestRun } from './requested-conformance.js'
import { type Check, hour, type World } from './world-conformance.js'

const quotaOf = (runsPerMonth: number) => ({ quotas: { ...unlimited, runsPerMonth } })

const used = async (world: World, tenant: Tenant) =>
  (await world.as(tenant, (rows) => rows.tenant.usage())).runs

export function describeQuota(check: Check): void {
  describe('the quota of runs', () => {
    check('counts what is claimed, and nothing else', async (world) => {
      const place = await world.place()
      for (let n = 0; n < 3; n++) await world.due(place)
      await world.endpoint(place, {}, { source: 'paused', nextRunAt: 5 })
      const { claimed } = await world.claim()
      expect(claimed).toHaveLength(3)
      expect(await used(world, place.tenant)).toBe(3)
      for (const run of claimed) await world.recordOne(run, { status: 'failure' })
      expect(await used(world, place.tenant)).toBe(3)
    })

    check(
      'holds endpoints until the month ends, within one claim and over several',
      async (world) => {
        const place = await world.place(quotaOf(3))
        const other = await world.place()
        const made = []
        for (let n = 0; n < 5; n++) {
          made.push(await world.due(place, {}, (now) => ({ nextRunAt: now - 9000 + n * 1000 })))
        }
        const free = await world.due(other)
        const first = await world.claim({ limit: 2 })
        expect(first.claimed).toHaveLength(2)
        const second = await world.claim()
        expect(second.claimed.map(({ endpointId }) => endpointId)).toEqual([
          made[2]!.endpoint.id,
          free.endpoint.id,
        ])
        for (const waiting of [made[3]!, made[4]!]) {
          expect(await world.plan(waiting)).toMatchObject({
            nextRunAt: monthEnd(second.now),
            source: 'quota',
            held: null,
            fence: 0,
          })
          expect(await world.runs(waiting)).toEqual([])
        }
        expect(await used(world, place.tenant)).toBe(3)
        expect((await world.claim()).claimed).toEqual([])
      },
    )

    check('is left to what starts by what wakes without starting', async (world) => {
      const place = await world.place(quotaOf(1))
      await world.endpoint(place, {}, { source: 'paused', nextRunAt: 5 })
      const made = await world.due(place)
      expect((await world.claimOne()).endpointId).toBe(made.endpoint.id)
      expect(await used(world, place.tenant)).toBe(1)
    })

    check('that begins again has endpoints planned', async (world) => {
      const place = await world.place(quotaOf(1))
      const made = await world.due(place, {}, (now) => ({
        source: 'quota',
        nextRunAt: now - 5,
        lastRunAt: null,
      }))
      expect((await world.claim()).claimed).toEqual([])
      expect(await world.plan(made)).toMatchObject({ source: 'baseline-interval' })
      const run = await world.claimOne()
      expect(run.source).toBe('baseline-interval')
    })

    check('that is raised has those planned that wait for it, and nobody else', async (world) => {
      const place = await world.place(quotaOf(1))
      const other = await world.place(quotaOf(0))
      const foreign = await world.due(other)
      const made = [await world.due(place), await world.due(place)]
      expect((await world.claim()).claimed).toHaveLength(1)
      const plans = await Promise.all(made.map((each) => world.plan(each)))
      const waiting = made[plans.findIndex(({ source }) => source === 'quota')]!
      await world.as(place.tenant, (rows) => rows.tenant.update(quotaOf(5)))
      expect((await world.claim()).claimed).toEqual([])
      expect(await world.plan(waiting)).toMatchObject({ source: 'baseline-interval' })
      expect((await world.claimOne()).endpointId).toBe(waiting.endpoint.id)
      expect(await world.plan(foreign)).toMatchObject({ source: 'quota' })
    })

    check('that is raised leaves what is under way, and what is suspended', async (world) => {
      const place = await world.place(quotaOf(0))
      const made = [
        await world.due(place, {}, (now) => ({
          source: 'quota',
          held: { scheduledFor: now, source: 'manual', leaseUntil: now + hour, deliveries: 1 },
        })),
        await world.due(place, {}, { source: 'quota', nextRunAt: null, suspended: true }),
      ]
      await world.as(place.tenant, (rows) => rows.tenant.update(quotaOf(5)))
      for (const each of made) expect(await world.plan(each)).toEqual(each.plan)
      expect((await world.claim()).claimed).toEqual([])
    })

    check('has nobody planned by a change of something else', async (world) => {
      const place = await world.place(quotaOf(0))
      const waiting = await world.due(place)
      await world.claim()
      const before = await world.plan(waiting)
      expect(before.source).toBe('quota')
      const retention = { ...place.tenant.retention, runDays: 2 }
      await world.as(place.tenant, (rows) => rows.tenant.update({ name: 'another', retention }))
      expect(await world.plan(waiting)).toEqual(before)
      await world.claim()
      expect(await world.plan(waiting)).toEqual(before)
    })

    check('of nothing lets nothing run', async (world) => {
      const place = await world.place(quotaOf(0))
      const made = await world.due(place)
      expect((await world.claim()).claimed).toEqual([])
      expect((await world.plan(made)).source).toBe('quota')
    })

    check('that was raised counts from the next claim on', async (world) => {
      const place = await world.place(quotaOf(1))
      await world.due(place)
      await world.claimOne()
      const made = await world.due(place)
      const { quotas } = quotaOf(2)
      await world.as(place.tenant, (rows) => rows.tenant.update({ quotas }))
      expect((await world.claimOne()).endpointId).toBe(made.endpoint.id)
    })

    check('that others used up meanwhile refuses a run that was asked for', async (world) => {
      const place = await world.place(quotaOf(0))
      const made = await world.due(place, {}, (now) => ({ nextRunAt: now + 60_000 }))
      const at = await requestRun(world, made)
      const { claimed, ended } = await world.claim()
      expect(claimed).toEqual([])
      expect(ended).toMatchObject([{ scheduledFor: at, status: 'skipped', reason: 'quota' }])
      expect(await world.runs(made)).toMatchObject([
        { scheduledFor: at, source: 'manual', status: 'skipped', reason: 'quota' },
      ])
      const { nextRunAt, source } = made.plan
      expect(await world.plan(made)).toMatchObject({ nextRunAt, source, requested: null })
    })
  })
}
