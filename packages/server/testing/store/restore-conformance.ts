import { describe, expect } from 'vitest'
import { restoredPlan } from '../../src/scheduling/index.js'
import { byCron, byInterval } from '../sample-endpoint.js'
import { type Check, hour, minute, type World } from './world-conformance.js'

const restored = ({ store }: World) =>
  store.system((rows) => rows.restore((plan) => restoredPlan(plan, rows.now)))

export function describeRestore(check: Check): void {
  describe('a database that comes from a backup', () => {
    check('sends nothing that was due before, by any kind of plan', async (world) => {
      const place = await world.place()
      const made = [
        await world.due(place),
        await world.due(place, byCron('* * * * *'), (now) => ({ nextRunAt: now - 2 * hour })),
        await world.due(place, { ...byCron('0 0 1 1 *'), maxIntervalMs: minute }),
        await world.due(place, {}, (now) => ({
          source: 'ai-oneshot',
          oneShotHint: { nextRunAt: now - 1, expiresAt: now + hour, reason: null, by: 'key_1' },
        })),
        await world.due(place, {}, (now) => ({
          source: 'ai-interval',
          intervalHint: { intervalMs: minute, expiresAt: now + hour, reason: null, by: 'key_1' },
        })),
      ]
      expect(await restored(world)).toMatchObject({ endpoints: made.length })
      const { now, claimed, ended } = await world.claim({ withinMs: 0 })
      expect([claimed, ended]).toEqual([[], []])
      expect((await world.claim({ withinMs: 0 })).claimed).toEqual([])
      for (const each of made) expect((await world.plan(each)).nextRunAt).toBeGreaterThan(now - 1)
      const [first] = made
      const plan = await world.plan(first!)
      expect(plan.nextRunAt! - plan.restoredAt!).toBe(hour)
    })

    check('does not deliver again what was under way or asked for', async (world) => {
      const place = await world.place()
      const held = await world.due(place, { onWorkerLoss: 'redeliver' })
      const beside = await world.due(place, { concurrency: 'allow' })
      await world.claim()
      await restored(world)
      for (const each of [held, beside]) {
        expect(await world.runs(each)).toMatchObject([{ status: 'cancelled', reason: 'restored' }])
        expect(await world.plan(each)).toMatchObject({ held: null, requested: null })
      }
      expect((await world.claim()).claimed).toEqual([])
    })

    check('keeps what had ended as it was', async (world) => {
      const made = await world.due(await world.place())
      await world.recordOne(await world.claimOne(), { status: 'failure' })
      const before = await world.runs(made)
      expect(before).toMatchObject([{ status: 'failure' }])
      await restored(world)
      expect(await world.runs(made)).toEqual(before)
    })

    check('goes on with what comes later', async (world) => {
      const soon = await world.due(await world.place(), byInterval(1))
      await restored(world)
      await world.claim()
      const { restoredAt, nextRunAt } = await world.plan(soon)
      await world.pass(Math.max(restoredAt!, nextRunAt ?? 0))
      const run = await world.claimOne()
      expect(run.scheduledFor).toBeGreaterThan(restoredAt!)
    })
  })

  describe('an endpoint that runs by itself and has no plan', () => {
    check('is planned when the program starts again', async (world) => {
      const cron = byCron('* * * * * @only(months=6)')
      const made = await world.endpoint(await world.place(), cron, { nextRunAt: null })
      expect((await world.claim()).claimed).toEqual([])
      expect((await world.plan(made)).nextRunAt).toBeNull()
      await world.store.migrate()
      await world.claim()
      const { nextRunAt, source } = await world.plan(made)
      expect([new Date(nextRunAt!).getUTCMonth(), source]).toEqual([5, 'baseline-cron'])
    })

    check('stays so when no time of its schedule is left', async (world) => {
      const cron = byCron('* * * * * @only(date=2020-02-02)')
      const made = await world.endpoint(await world.place(), cron, { nextRunAt: null })
      await world.store.migrate()
      await world.claim()
      expect(await world.plan(made)).toMatchObject({ nextRunAt: null, source: 'baseline-cron' })
    })
  })
}
