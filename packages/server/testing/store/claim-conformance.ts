import { formatInstant } from '@kron/core'
import { describe, expect } from 'vitest'
import type { EndpointWithPlan, Plan } from '../../src/domain/index.js'
import { byCron, byInterval } from '../sample-endpoint.js'
import { type Check, hour, minute } from './world-conformance.js'

/** The last full minute before an instant, and the one before that, and so on. */
const minuteBefore = (now: number, minutes = 0): number =>
  Math.floor(now / minute) * minute - minutes * minute

export function describeClaim(check: Check): void {
  describe('a claim', () => {
    check('makes a run row and holds the endpoint', async (world) => {
      const made = await world.due(await world.place(), {}, { fence: 6, failureCount: 3 })
      const scheduledFor = made.plan.nextRunAt!
      const { claimed, now, ended } = await world.claim({ owner: 'wrk_9' })
      const { maxExecutionTimeMs } = made.endpoint.definition
      const leaseUntil = now + maxExecutionTimeMs
      const { endpointId, tenantId } = made.plan
      const periodId = made.plan.periodId
      const source = 'baseline-interval' as const
      const context = { failureCount: 3 }
      const run = { endpointId, tenantId, scheduledFor, periodId, source, context, fence: 7 }
      expect(claimed).toEqual([
        { ...run, leaseUntil, attempts: 0, overlapping: false, replaces: 'nothing', version: 1 },
      ])
      expect(ended).toEqual([])
      expect(await world.runs(made)).toEqual([
        {
          ...run,
          status: 'running',
          reason: null,
          owner: 'wrk_9',
          claimedAt: now,
          startedAt: null,
          endedAt: null,
          attempts: 0,
          error: null,
          response: null,
          notes: [],
        },
      ])
      const held = { scheduledFor, source, leaseUntil, deliveries: 1 }
      const plan: Partial<Plan> = { held, fence: 7, handledThrough: scheduledFor }
      expect(await world.plan(made)).toMatchObject(plan)
    })

    check(
      'takes what is due, the earliest first, and no more than it was asked for',
      async (world) => {
        const place = await world.place()
        const ages = [5, 1, 4, 2, 3]
        const made: EndpointWithPlan[] = []
        for (const age of ages) {
          made.push(await world.due(place, {}, (now) => ({ nextRunAt: now - age * 1000 })))
        }
        const idOfAge = (age: number) => made[ages.indexOf(age)]!.endpoint.id
        const first = await world.claim({ limit: 2 })
        expect(first.claimed.map(({ endpointId }) => endpointId)).toEqual([idOfAge(5), idOfAge(4)])
        expect(first).toMatchObject({ full: true, nextWakeAt: first.now })
        const rest = await world.claim({ limit: 4 })
        expect(rest.claimed.map(({ endpointId }) => endpointId)).toEqual([3, 2, 1].map(idOfAge))
        expect(rest.full).toBe(false)
        expect(await world.claim()).toMatchObject({ claimed: [], ended: [], full: false })
      },
    )

    check('of exactly as many as there are says that there may be more', async (world) => {
      const place = await world.place()
      await world.due(place)
      await world.due(place)
      expect((await world.claim({ limit: 2 })).full).toBe(true)
      expect((await world.claim({ limit: 2 })).full).toBe(false)
    })

    check(
      'looks ahead as far as it is told, and the lease begins when the run is due',
      async (world) => {
        const place = await world.place()
        const soon = await world.due(place, {}, (now) => ({ nextRunAt: now + hour }))
        const later = await world.due(place, {}, (now) => ({ nextRunAt: now + 2 * hour }))
        const none = await world.claim({ withinMs: minute })
        expect(none).toMatchObject({ claimed: [], nextWakeAt: soon.plan.nextRunAt })
        const { claimed, nextWakeAt, now } = await world.claim({ withinMs: hour + minute })
        expect(claimed).toHaveLength(1)
        const { scheduledFor, leaseUntil } = claimed[0]!
        expect(scheduledFor).toBe(soon.plan.nextRunAt)
        expect(scheduledFor).toBeGreaterThan(now)
        expect(leaseUntil).toBe(scheduledFor + soon.endpoint.definition.maxExecutionTimeMs)
        expect(nextWakeAt).toBeLessThan(later.plan.nextRunAt!)
      },
    )

    check('tells when the next endpoint wakes', async (world) => {
      expect((await world.claim()).nextWakeAt).toBeNull()
      const place = await world.place()
      const late = await world.endpoint(place, byInterval(hour), (now) => ({
        nextRunAt: now + 2 * hour,
      }))
      expect((await world.claim()).nextWakeAt).toBe(late.plan.nextRunAt)
      const pausedUntil = (await world.now()) + hour
      await world.endpoint(place, {}, { pausedUntil, nextRunAt: pausedUntil, source: 'paused' })
      expect((await world.claim()).nextWakeAt).toBe(pausedUntil)
    })

    check('tells when a crowd will be awake', async (world) => {
      const place = await world.place()
      const hours = [3, 1, 2]
      const now = await world.now()
      for (const n of hours) await world.due(place, {}, { nextRunAt: now + n * hour })
      const crowdOf = async (crowd: number) => (await world.claim({ crowd })).nextCrowdAt
      expect(await crowdOf(1)).toBe(now + hour)
      expect(await crowdOf(3)).toBe(now + 3 * hour)
      expect(await crowdOf(4)).toBeNull()
      const full = await world.claim({ limit: 1, withinMs: 90 * minute, crowd: 1 })
      expect(full).toMatchObject({ full: true, nextWakeAt: full.now })
      expect(full.nextCrowdAt).toBeGreaterThan(full.now + hour)
    })

    check('learns an edit that came after it had met the endpoint', async (world) => {
      const place = await world.place()
      const made = await world.due(place)
      await world.recordOne(await world.claimOne())
      const definition = { ...made.endpoint.definition, maxExecutionTimeMs: 5 * minute }
      await world.as(place.tenant, async (rows) => {
        const { plan } = (await rows.endpoints.get(made.endpoint.id))!
        await rows.endpoints.update({ ...made.endpoint, version: 2, definition })
        await rows.plans.put({ ...plan, version: 2, nextRunAt: rows.now })
      })
      const { claimed, now } = await world.claim()
      expect(claimed[0]).toMatchObject({ version: 2, leaseUntil: now + 5 * minute })
    })

    check(
      'does not look ahead for the end of a pause, and plans when it has come',
      async (world) => {
        const place = await world.place()
        const paused = { source: 'paused', periodId: null, pauseReason: 'maintenance' } as const
        const long = await world.endpoint(place, byInterval(minute), (now) => ({
          ...paused,
          pausedUntil: now + hour,
          nextRunAt: now + hour,
        }))
        const over = await world.endpoint(place, byInterval(hour), (now) => ({
          ...paused,
          pausedUntil: now - 1,
          nextRunAt: now - 1,
          lastRunAt: now - minute,
        }))
        expect((await world.claim({ withinMs: 2 * hour })).claimed).toEqual([])
        expect(await world.plan(long)).toEqual(long.plan)
        expect(await world.plan(over)).toMatchObject({
          nextRunAt: over.plan.lastRunAt! + hour,
          source: 'baseline-interval',
          held: null,
        })
        expect(await world.runs(over)).toEqual([])
      },
    )

    check('gives no place to what only waits, or is held, within its look-ahead', async (world) => {
      const place = await world.place()
      const waiting = (now: number) => ({ nextRunAt: now + minute, source: 'paused' }) as const
      const paused = await world.endpoint(place, byInterval(hour), waiting)
      await world.due(place)
      await world.claimOne()
      const due = await world.due(place, {}, (now) => ({ nextRunAt: now + 30 * minute }))
      const { claimed } = await world.claim({ limit: 1, withinMs: hour })
      expect(claimed).toMatchObject([{ endpointId: due.endpoint.id }])
      const none = await world.claim({ limit: 1, withinMs: 2 * hour })
      const nextWakeAt = paused.plan.nextRunAt
      expect(none).toMatchObject({ claimed: [], full: false, nextWakeAt })
    })

    check('passes over tenants that are left out, and takes them later', async (world) => {
      const [busy, other] = [await world.place(), await world.place()]
      const waiting = [await world.due(busy), await world.due(busy)]
      const made = await world.due(other)
      const run = await world.claimOne({ without: [busy.tenant.id, 'ten_of_nobody'] })
      expect(run.endpointId).toBe(made.endpoint.id)
      const ids = (await world.claim({ without: [] })).claimed.map(({ endpointId }) => endpointId)
      expect(ids.sort()).toEqual(waiting.map(({ endpoint }) => endpoint.id).sort())
    })

    check('ahead of its time takes nothing that would end another run', async (world) => {
      const place = await world.place()
      const replacing = { concurrency: 'replace' } as const
      const soon = (now: number) => ({ nextRunAt: now + 3_000, exact: true })
      await world.endpoint(place, { ...byInterval(hour), ...replacing }, soon)
      const plain = await world.endpoint(place, byInterval(hour), (now) => ({
        nextRunAt: now + 3_000,
      }))
      const run = await world.claimOne({ withinMs: 5_000, limit: 1 })
      expect(run.endpointId).toBe(plain.endpoint.id)
      expect((await world.claim({ withinMs: 5_000 })).claimed).toEqual([])
    })

    check('consumes a one-shot with the run that it made', async (world) => {
      const place = await world.place()
      const oneShotHint = { nextRunAt: 5, expiresAt: 8e15, reason: 'now', by: 'key:x' }
      const made = await world.due(place, {}, { source: 'ai-oneshot', oneShotHint })
      const hinted = await world.due(place, {}, { oneShotHint })
      const { claimed } = await world.claim()
      const run = claimed.find(({ endpointId }) => endpointId === made.endpoint.id)!
      expect(run.source).toBe('ai-oneshot')
      expect(run.context).toEqual({
        failureCount: 0,
        oneShotHint: { nextRunAt: 5, reason: 'now', giver: 'key:x' },
      })
      expect(await world.plan(made)).toMatchObject({ oneShotHint: null })
      expect(await world.plan(hinted)).toMatchObject({ oneShotHint })
      const again = await world.recordOne(run)
      expect(again).toBe('recorded')
      expect(await world.plan(made)).toMatchObject({ source: 'baseline-interval' })
    })

    check('runs the latest of several periods, and writes the others down', async (world) => {
      const made = await world.endpoint(await world.place(), byCron('* * * * *'), (now) => ({
        nextRunAt: minuteBefore(now, 3),
        periodId: formatInstant(minuteBefore(now, 3)),
      }))
      const { claimed, ended, now } = await world.claim({ withinMs: 0 })
      const latest = minuteBefore(now)
      expect(claimed[0]).toMatchObject({ scheduledFor: latest, periodId: formatInstant(latest) })
      const skipped = ended.map(({ scheduledFor, status, reason }) => [
        scheduledFor,
        status,
        reason,
      ])
      const expected = []
      for (let at = made.plan.nextRunAt!; at < latest; at += minute) {
        expected.push([at, 'skipped', 'superseded'])
      }
      expect(skipped).toEqual(expected)
      const runs = await world.runs(made)
      expect(runs.slice(0, -1)).toMatchObject(
        expected.map(([scheduledFor]) => ({
          scheduledFor,
          status: 'skipped',
          reason: 'superseded',
          endedAt: now,
          source: 'baseline-cron',
          tenantId: made.endpoint.tenantId,
        })),
      )
      expect(runs.at(-1)).toMatchObject({ scheduledFor: latest, status: 'running' })
    })

    check('writes one row for all periods that could not be scheduled', async (world) => {
      const at = Math.floor((await world.now()) / hour) * hour
      const [first, last] = [at - 23 * hour, at - hour]
      const place = await world.place()
      const cron = `0 * * * * @only(hours=${new Date(at).getUTCHours()})`
      const made = await world.endpoint(place, byCron(cron), { nextRunAt: at })
      const responsibility = { ...made.plan.responsibility!, since: first - hour }
      await world.as(place.tenant, (rows) => rows.plans.put({ ...made.plan, responsibility }))
      await world.claimOne()
      const [told, run] = await world.runs(made)
      expect(told).toMatchObject({ scheduledFor: first, status: 'unschedulable' })
      const stretch = { first: formatInstant(first), last: formatInstant(last), count: 23 }
      expect(told!.context).toEqual({ failureCount: 0, stretch })
      expect(run).toMatchObject({ scheduledFor: at, status: 'running' })
    })

    check('writes down what is too late, and plans on', async (world) => {
      const made = await world.endpoint(
        await world.place(),
        { ...byCron('0 0 1 1 *'), deadlineMs: 10_000 },
        (now) => ({ nextRunAt: now - minute, periodId: 'the period' }),
      )
      const { claimed, ended, now } = await world.claim()
      expect(claimed).toEqual([])
      expect(ended).toMatchObject([{ status: 'missed', tenantId: made.endpoint.tenantId }])
      expect(await world.runs(made)).toMatchObject([
        {
          scheduledFor: made.plan.nextRunAt,
          periodId: 'the period',
          status: 'missed',
          reason: expect.stringMatching(/late, deadline 10s$/),
          endedAt: now,
        },
      ])
      const plan = await world.plan(made)
      expect(plan).toMatchObject({ handledThrough: made.plan.nextRunAt, held: null })
      expect(plan.nextRunAt).toBeGreaterThan(now)
    })

    check('leaves the row of an instant as it is that came too late', async (world) => {
      const place = await world.place()
      const yearly = { ...byCron('0 0 1 1 *'), deadlineMs: 10_000 }
      const made = await world.endpoint(place, yearly, (now) => ({ nextRunAt: now - minute }))
      const { endpointId, tenantId, nextRunAt } = made.plan
      const there = { endpointId, tenantId, scheduledFor: nextRunAt!, status: 'success' } as const
      await world.as(place.tenant, (rows) => rows.runs.insert({ ...blankRun, ...there }))
      const before = await world.runs(made)
      await world.claim()
      expect(await world.runs(made)).toEqual(before)
      expect(await world.plan(made)).toMatchObject({ handledThrough: nextRunAt, held: null })
    })

    check('does not start a run for an instant that has a row', async (world) => {
      const place = await world.place()
      const made = await world.due(place)
      const free = await world.due(place)
      const { endpointId, tenantId, nextRunAt } = made.plan
      const there = { endpointId, tenantId, scheduledFor: nextRunAt!, status: 'success' } as const
      await world.as(place.tenant, (rows) => rows.runs.insert({ ...blankRun, ...there }))
      const { claimed } = await world.claim()
      expect(claimed.map((run) => run.endpointId)).toEqual([free.endpoint.id])
      expect(await world.runs(made)).toMatchObject([{ status: 'success', owner: null }])
      const usage = await world.as(place.tenant, (rows) => rows.tenant.usage())
      expect(usage.runs).toBe(1)
      const refused = await world.plan(made)
      expect(refused).toMatchObject({ held: null, handledThrough: nextRunAt })
      expect(refused.nextRunAt).toBe(nextRunAt! + 1)
      await world.claim()
      const next = await world.plan(made)
      expect(next.nextRunAt).toBeGreaterThan(nextRunAt!)
      expect(next.source).toBe('baseline-interval')
    })
  })
}

const blankRun = {
  periodId: 'there before',
  source: 'manual',
  reason: null,
  fence: 0,
  owner: null,
  claimedAt: null,
  startedAt: null,
  endedAt: null,
  attempts: 0,
  error: null,
  response: null,
  notes: [],
  context: { failureCount: 0 },
} as const
