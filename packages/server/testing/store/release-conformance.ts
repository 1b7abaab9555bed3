import { describe, expect } from 'vitest'
import { leaseGraceMs } from '../../src/scheduling/index.js'
import { byCron } from '../sample-endpoint.js'
import { requestRun } from './requested-conformance.js'
import { type Check, hour } from './world-conformance.js'

const released = { status: 'released' } as const

export function describeRelease(check: Check): void {
  describe('a run that is released unsent', () => {
    check('is planned again as if it had not been claimed', async (world) => {
      const made = await world.due(await world.place(), {}, { failureCount: 2 })
      const run = await world.claimOne()
      expect(await world.recordOne(run, released)).toBe('recorded')
      expect(await world.runs(made)).toEqual([])
      const { nextRunAt, source, periodId } = made.plan
      const plan = await world.plan(made)
      expect(plan).toMatchObject({ nextRunAt, source, periodId, held: null, failureCount: 2 })
      expect(await world.recordOne(run, released)).toBe('repeated')
      expect(await world.recordOne(run)).toBe('fenced')
      const again = await world.claimOne({ owner: 'wrk_2' })
      expect(again).toMatchObject({ scheduledFor: run.scheduledFor, attempts: 0 })
      expect(again.fence).toBeGreaterThan(run.fence)
      expect(await world.recordOne(run, released)).toBe('fenced')
      expect(await world.recordOne(run)).toBe('fenced')
      expect(await world.recordOne(again)).toBe('recorded')
    })

    check('keeps the id of a period that others gave way to', async (world) => {
      const place = await world.place()
      const made = await world.endpoint(place, byCron('* * * * *'), (now) => ({
        nextRunAt: Math.floor(now / 60_000) * 60_000 - 120_000,
        periodId: 'the first one',
      }))
      const run = await world.claimOne()
      expect(run.scheduledFor).toBeGreaterThan(made.plan.nextRunAt!)
      await world.recordOne(run, released)
      const { scheduledFor, periodId } = run
      expect(await world.plan(made)).toMatchObject({ nextRunAt: scheduledFor, periodId })
    })

    check('that somebody asked for waits again', async (world) => {
      const made = await world.endpoint(await world.place(), byCron('0 0 1 1 *'))
      const at = await requestRun(world, made)
      const run = await world.claimOne()
      expect(await world.recordOne(run, released)).toBe('recorded')
      expect(await world.runs(made)).toMatchObject([
        { scheduledFor: at, status: 'pending', owner: null, claimedAt: null },
      ])
      const requested = { at, source: 'manual' }
      const { nextRunAt, source } = made.plan
      const expected = { requested, held: null, nextRunAt, source }
      expect(await world.plan(made)).toMatchObject(expected)
      expect(await world.claimOne()).toMatchObject({ scheduledFor: at, source: 'manual' })
    })

    check('that is a replay waits again too', async (world) => {
      const made = await world.endpoint(await world.place(), byCron('0 0 1 1 *'))
      const at = await requestRun(world, made, 'replay')
      await world.recordOne(await world.claimOne(), released)
      expect(await world.runs(made)).toMatchObject([{ scheduledFor: at, status: 'pending' }])
      expect(await world.claimOne()).toMatchObject({ scheduledFor: at, source: 'replay' })
    })

    check('that may overlap and was asked for is not lost by the lease it had', async (world) => {
      const change = { concurrency: 'allow', maxExecutionTimeMs: 1 } as const
      const place = await world.place()
      const made = await world.endpoint(place, { ...byCron('0 0 1 1 *'), ...change })
      await requestRun(world, made)
      const run = await world.claimOne()
      await world.recordOne(run, released)
      await world.pass(run.leaseUntil + leaseGraceMs)
      expect((await world.claim({ without: [place.tenant.id] })).ended).toEqual([])
      expect(await world.runs(made)).toMatchObject([{ status: 'pending' }])
    })

    check('that somebody asked for ends when another was asked for since', async (world) => {
      const made = await world.endpoint(await world.place(), byCron('0 0 1 1 *'))
      const first = await requestRun(world, made)
      const run = await world.claimOne()
      const second = await requestRun(world, made)
      await world.recordOne(run, released)
      expect(await world.runs(made)).toMatchObject([
        { scheduledFor: first, status: 'cancelled', reason: 'superseded' },
        { scheduledFor: second, status: 'pending' },
      ])
      expect(await world.claimOne()).toMatchObject({ scheduledFor: second })
    })

    check('waits for the end of a pause that began meanwhile', async (world) => {
      const place = await world.place()
      const made = await world.due(place)
      const run = await world.claimOne()
      const pausedUntil = (await world.now()) + hour
      const plan = await world.plan(made)
      await world.as(place.tenant, (rows) => rows.plans.put({ ...plan, pausedUntil }))
      await world.recordOne(run, released)
      const paused = { nextRunAt: pausedUntil, source: 'paused', held: null }
      expect(await world.plan(made)).toMatchObject(paused)
      expect((await world.claim()).claimed).toEqual([])
    })

    check(
      'that may overlap is planned again too, unless a later one was handled',
      async (world) => {
        const place = await world.place()
        const change = { concurrency: 'allow', maxExecutionTimeMs: hour } as const
        const made = await world.due(place, change)
        const run = await world.claimOne()
        const { scheduledFor, periodId, source } = run
        expect(await world.recordOne(run, released)).toBe('recorded')
        expect(await world.runs(made)).toEqual([])
        const again = { nextRunAt: scheduledFor, periodId, source }
        expect(await world.plan(made)).toMatchObject(again)
        const second = await world.claimOne()
        expect(second).toMatchObject({ scheduledFor, periodId, source })
        expect(await world.recordOne(run)).toBe('fenced')
        expect(await world.recordOne(run, released)).toBe('fenced')
        expect(await world.runs(made)).toMatchObject([{ status: 'running', fence: second.fence }])
        await world.as(place.tenant, async (rows) => {
          const { plan } = (await rows.endpoints.get(made.endpoint.id))!
          await rows.plans.put({ ...plan, nextRunAt: scheduledFor + 1 })
        })
        const third = await world.claimOne()
        const plan = await world.plan(made)
        expect(await world.recordOne(second, released)).toBe('recorded')
        expect(await world.plan(made)).toEqual(plan)
        expect(await world.runs(made)).toMatchObject([
          { scheduledFor, periodId, source, status: 'skipped', reason: 'superseded' },
          { scheduledFor: third.scheduledFor, status: 'running' },
        ])
      },
    )

    check('that may overlap and was asked for waits again', async (world) => {
      const change = { concurrency: 'allow', ...byCron('0 0 1 1 *') } as const
      const made = await world.endpoint(await world.place(), change)
      const at = await requestRun(world, made)
      await world.recordOne(await world.claimOne(), released)
      expect(await world.runs(made)).toMatchObject([{ scheduledFor: at, status: 'pending' }])
      expect(await world.claimOne()).toMatchObject({ scheduledFor: at, source: 'manual' })
    })
  })
}
