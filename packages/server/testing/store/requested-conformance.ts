import { describe, expect } from 'vitest'
import { type EndpointWithPlan, instantText, type RequestedRun } from '../../src/domain/index.js'
import { byCron, sampleRun } from '../sample-endpoint.js'
import { type Check, hour, outcomeOf, type World } from './world-conformance.js'

/** As somebody asks for a run: its row waits, and so does the plan. Answers its instant. */
export function requestRun(
  world: World,
  { endpoint }: EndpointWithPlan,
  source: RequestedRun['source'] = 'manual',
): Promise<number> {
  const { id: endpointId, tenantId } = endpoint
  return world.as({ id: tenantId }, async (rows) => {
    const { plan } = (await rows.endpoints.get(endpointId))!
    const at = Math.max(rows.now, (plan.handledThrough ?? 0) + 1)
    const waiting = { owner: null, claimedAt: null, startedAt: null, endedAt: null, response: null }
    const context = { failureCount: 0, replayOf: 'run_x' }
    const run = { endpointId, tenantId, source, periodId: instantText(at), context }
    await rows.runs.insert(sampleRun(at, { ...waiting, ...run, status: 'pending', attempts: 0 }))
    await rows.plans.put({ ...plan, requested: { at, source } })
    return at
  })
}

export function describeRequested(check: Check): void {
  describe('a run that was asked for', () => {
    check('starts with the row that waited for it, beside the plan', async (world) => {
      const made = await world.endpoint(await world.place(), byCron('0 0 1 1 *'))
      const at = await requestRun(world, made, 'replay')
      const run = await world.claimOne({ owner: 'wrk_3' })
      expect(run).toMatchObject({ scheduledFor: at, source: 'replay', fence: 1, attempts: 0 })
      const started = { status: 'running', owner: 'wrk_3', fence: 1, source: 'replay' }
      expect(await world.runs(made)).toMatchObject([
        { ...started, context: { failureCount: 0, replayOf: 'run_x' } },
      ])
      const { nextRunAt, periodId, source } = made.plan
      const beside = { nextRunAt, periodId, source, requested: null }
      expect(await world.plan(made)).toMatchObject({ ...beside, held: { source: 'replay' } })
      expect(await world.recordOne(run)).toBe('recorded')
      const after = { ...beside, held: null, handledThrough: at, lastRunAt: at + 5 }
      expect(await world.plan(made)).toMatchObject(after)
    })

    check('runs while the endpoint is paused, over quota or suspended', async (world) => {
      const place = await world.place()
      const later = (now: number) => ({ nextRunAt: now + hour })
      const made = [
        await world.endpoint(place, {}, (now) => ({ ...later(now), source: 'paused' })),
        await world.endpoint(place, {}, (now) => ({ ...later(now), source: 'quota' })),
        await world.endpoint(place, {}, { suspended: true, nextRunAt: null }),
      ]
      for (const one of made) await requestRun(world, one)
      const { claimed } = await world.claim()
      expect(claimed.map(({ source }) => source)).toEqual(['manual', 'manual', 'manual'])
    })

    check('gives way to a run that was due before it, and comes after that', async (world) => {
      const made = await world.due(await world.place())
      const at = await requestRun(world, made)
      const planned = await world.claimOne()
      expect(planned.scheduledFor).toBe(made.plan.nextRunAt)
      expect((await world.claim()).claimed).toEqual([])
      const answer = await world.record(outcomeOf(planned))
      expect(answer.nextWakeAt).toBe(at)
      expect(await world.claimOne()).toMatchObject({ scheduledFor: at, source: 'manual' })
    })

    check('that was cancelled while it waited does not start', async (world) => {
      const made = await world.endpoint(await world.place(), byCron('0 0 1 1 *'))
      const at = await requestRun(world, made)
      const key = { endpointId: made.endpoint.id, scheduledFor: at }
      const end = { status: 'cancelled', reason: 'user', at } as const
      await world.as({ id: made.endpoint.tenantId }, (rows) => rows.runs.end(key, end))
      expect((await world.claim()).claimed).toEqual([])
      expect(await world.runs(made)).toMatchObject([{ status: 'cancelled', reason: 'user' }])
      const { nextRunAt, source } = made.plan
      const expected = { nextRunAt, source, held: null, requested: null }
      expect(await world.plan(made)).toMatchObject(expected)
    })

    check('without a row does not start', async (world) => {
      const made = await world.endpoint(await world.place(), byCron('0 0 1 1 *'), (now) => ({
        requested: { at: now, source: 'manual' },
      }))
      expect((await world.claim()).claimed).toEqual([])
      expect(await world.runs(made)).toEqual([])
      expect(await world.plan(made)).toMatchObject({ held: null, requested: null })
    })

    check('skips the periods that come while it runs', async (world) => {
      const made = await world.endpoint(await world.place(), byCron('* * * * *'), (now) => {
        const scheduledFor = Math.floor(now / 60_000) * 60_000 - 90_000
        const held = { scheduledFor, source: 'manual', leaseUntil: now + hour, deliveries: 1 }
        const plan = { nextRunAt: scheduledFor + 30_000, handledThrough: scheduledFor, fence: 1 }
        return { ...plan, held: held as never }
      })
      const { held } = made.plan
      const { id: endpointId, tenantId } = made.endpoint
      const change = { endpointId, tenantId, source: 'manual', status: 'running' } as const
      const row = sampleRun(held!.scheduledFor, change)
      await world.as({ id: tenantId }, (rows) => rows.runs.insert(row))
      const claimed = { ...row, version: 1, overlapping: false, leaseUntil: held!.leaseUntil }
      const { now } = await world.record(outcomeOf({ ...claimed, replaces: 'pending' }))
      const runs = (await world.runs(made)).slice(1)
      const first = held!.scheduledFor + 30_000
      const came = Math.floor((now - first) / 60_000) + 1
      expect(runs).toMatchObject(
        Array.from({ length: came }, (_, n) => ({
          scheduledFor: first + n * 60_000,
          status: 'skipped',
          reason: 'concurrency',
        })),
      )
      expect((await world.plan(made)).nextRunAt).toBeGreaterThan(now)
    })
  })
}
