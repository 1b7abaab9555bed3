import { describe, expect } from 'vitest'
import type { EndpointWithPlan } from '../../src/domain/index.js'
import type { Outcome } from '../../src/scheduling/index.js'
import type { ClaimedRun } from '../../src/store/index.js'
import { byCron, byInterval } from '../sample-endpoint.js'
import { type Check, hour, minute, outcomeOf } from './world-conformance.js'

const response = (body: Uint8Array) => ({
  httpStatus: 502,
  headers: { 'content-type': 'text/plain', 'x-\u00e9': '"' },
  truncated: true,
  body,
})

/** Of these endpoints, in their order. */
const outcomesOf = (claimed: readonly ClaimedRun[], made: readonly EndpointWithPlan[]): Outcome[] =>
  made.map(({ endpoint }) =>
    outcomeOf(claimed.find(({ endpointId }) => endpointId === endpoint.id)!),
  )

export function describeRecord(check: Check): void {
  describe('recording', () => {
    check('writes how a run ended, and the next plan', async (world) => {
      const made = await world.due(await world.place(), byInterval(hour))
      const run = await world.claimOne()
      const error = { code: 'connection_reset', message: 'it hung up' }
      const startedAt = run.scheduledFor + 7
      const outcome = outcomeOf(run, {
        status: 'failure',
        reason: 'a reason',
        startedAt,
        endedAt: startedAt + 20,
        attempts: 3,
        error,
        response: response(new Uint8Array(9)),
      })
      const { answers, nextWakeAt, now } = await world.record(outcome)
      expect(answers).toEqual(['recorded'])
      expect(now).toBeGreaterThan(made.plan.nextRunAt!)
      const { body, ...rest } = outcome.response!
      expect(await world.runs(made)).toMatchObject([
        {
          status: 'failure',
          reason: 'a reason',
          startedAt,
          endedAt: startedAt + 20,
          attempts: 3,
          error,
          response: { ...rest, bodyBytes: 9 },
          fence: run.fence,
          owner: 'wrk_1',
        },
      ])
      const plan = await world.plan(made)
      expect(plan).toMatchObject({
        held: null,
        lastRunAt: startedAt,
        lastStatus: 'failure',
        failureCount: 1,
        nextRunAt: startedAt + hour,
        source: 'baseline-interval',
        fence: 1,
      })
      expect(nextWakeAt).toBe(plan.nextRunAt)
    })

    check('keeps what the response asked for and did not get', async (world) => {
      const made = await world.due(await world.place(), { ...byInterval(hour), steering: true })
      const headers = { 'kron-next-run': 'soon' }
      const answer = { ...response(new Uint8Array(1)), headers }
      await world.recordOne(await world.claimOne(), { response: answer })
      expect(await world.runs(made)).toMatchObject([
        { notes: [expect.stringContaining('Kron-Next-Run')] },
      ])
    })

    check('keeps reasons of any letters exactly', async (world) => {
      const place = await world.place()
      const reasons = ['C:\\', '\\n', 'say "so"', '{a,b}', 'NULL', '', 'Größe ✓']
      for (const _ of reasons) await world.due(place)
      const { claimed } = await world.claim()
      const failed = claimed.map((run, n) =>
        outcomeOf(run, { status: 'failure', reason: reasons[n]! }),
      )
      await world.record(...failed)
      await world.as(place.tenant, async (rows) => {
        const kept = []
        for (const run of claimed) kept.push((await rows.runs.read(run))?.reason)
        expect(kept).toEqual(reasons)
      })
    })

    check('keeps bodies of any size exactly', async (world) => {
      const place = await world.place()
      const bodies = [0, 1, 511, 512, 100_000].map((size) =>
        Uint8Array.from({ length: size }, (_, n) => (n * 31 + (n >> 8)) & 255),
      )
      for (const body of bodies) {
        await world.due(place)
        const run = await world.claimOne()
        await world.recordOne(run, { response: response(body) })
        const kept = await world.as(place.tenant, (rows) => rows.runs.body(run))
        if (body.length === 0) expect(kept).toBeNull()
        else expect(Buffer.from(kept!).equals(body)).toBe(true)
      }
    })

    check('counts failures by the policy of the endpoint', async (world) => {
      const place = await world.place()
      const before = { failureCount: 4 }
      const table = [
        ['reset', 'success', 0],
        ['reset', 'failure', 5],
        ['reset', 'timeout', 5],
        ['reset', 'cancelled', 4],
        ['increment', 'success', 4],
        ['increment', 'failure', 5],
      ] as const
      for (const [failureCountPolicy, status, failureCount] of table) {
        const made = await world.due(place, { failureCountPolicy }, before)
        expect(await world.recordOne(await world.claimOne(), { status })).toBe('recorded')
        expect(await world.plan(made)).toMatchObject({ failureCount, lastStatus: status })
      }
    })

    check('takes many at once, in the order of the outcomes', async (world) => {
      const place = await world.place()
      for (let n = 0; n < 30; n++) {
        await world.due(place, byInterval(hour + ((n * 7 + 11) % 30) * minute), (now) => ({
          nextRunAt: now - 60_000 + n,
        }))
      }
      const { claimed } = await world.claim()
      expect(claimed).toHaveLength(30)
      const reversed = [...claimed].reverse()
      const outcomes = reversed.map((run, n) =>
        outcomeOf(n % 3 === 0 ? { ...run, fence: 99 } : run, { attempts: n + 1 }),
      )
      const { answers, nextWakeAt } = await world.record(...outcomes)
      expect(answers).toEqual(reversed.map((_, n) => (n % 3 === 0 ? 'fenced' : 'recorded')))
      const plans = await world.as(place.tenant, (rows) =>
        rows.endpoints.list({ limit: 100, after: null }),
      )
      const next = plans.items.flatMap(({ plan }) => (plan.held === null ? [plan.nextRunAt!] : []))
      expect(nextWakeAt).toBe(Math.min(...next))
      expect((await world.record()).answers).toEqual([])
    })

    check('again is harmless', async (world) => {
      const made = await world.due(await world.place())
      const run = await world.claimOne()
      const outcome = { status: 'failure' } as const
      expect(await world.recordOne(run, outcome)).toBe('recorded')
      const [before, plan] = [await world.runs(made), await world.plan(made)]
      expect(await world.recordOne(run, outcome)).toBe('repeated')
      expect(await world.recordOne(run, { status: 'success' })).toBe('fenced')
      expect(await world.runs(made)).toEqual(before)
      expect(await world.plan(made)).toEqual(plan)
    })

    check('is refused to who does not know the latest fence', async (world) => {
      const made = await world.due(await world.place())
      const run = await world.claimOne()
      const [before, plan] = [await world.runs(made), await world.plan(made)]
      for (const fence of [0, 2, 99]) {
        expect(await world.recordOne({ ...run, fence })).toBe('fenced')
      }
      const elsewhere: ClaimedRun = { ...run, scheduledFor: run.scheduledFor + 1 }
      expect(await world.recordOne(elsewhere)).toBe('fenced')
      expect(await world.recordOne({ ...run, endpointId: 'ep_of_nobody' })).toBe('fenced')
      expect(await world.runs(made)).toEqual(before)
      expect(await world.plan(made)).toEqual(plan)
    })

    check('is refused for a run that was cancelled meanwhile', async (world) => {
      const place = await world.place()
      const made = await world.due(place)
      const run = await world.claimOne()
      await world.as(place.tenant, async (rows) => {
        const { plan } = (await rows.endpoints.get(made.endpoint.id))!
        await rows.runs.end(run, { status: 'cancelled', reason: 'user', at: rows.now })
        await rows.plans.put({ ...plan, held: null, fence: plan.fence + 1 })
      })
      const plan = await world.plan(made)
      expect(await world.recordOne(run)).toBe('fenced')
      expect(await world.runs(made)).toMatchObject([{ status: 'cancelled', reason: 'user' }])
      expect(await world.plan(made)).toEqual(plan)
    })

    check('still tells when a run that was cancelled meanwhile had begun', async (world) => {
      const place = await world.place()
      const [sent, unsent] = [await world.due(place), await world.due(place)]
      const { claimed } = await world.claim()
      await world.as(place.tenant, async (rows) => {
        const end = { status: 'cancelled', reason: 'user', at: rows.now } as const
        for (const run of claimed) await rows.runs.end(run, end)
      })
      const cancelled = { status: 'cancelled', reason: 'user' } as const
      const [first, second] = claimed
      const begun = { startedAt: first!.scheduledFor + 5, attempts: 1 }
      const never = { startedAt: second!.scheduledFor + 5, attempts: 0 }
      await world.recordOne(first!, { ...cancelled, ...begun })
      await world.recordOne(second!, { ...cancelled, ...never })
      const [of] = [sent, unsent].map(({ endpoint }) => endpoint.id)
      const [told, untold] = first!.endpointId === of ? [sent, unsent] : [unsent, sent]
      expect(await world.runs(told)).toMatchObject([{ ...cancelled, ...begun }])
      expect(await world.runs(untold)).toMatchObject([{ ...cancelled, startedAt: null }])
    })

    check('tells only once when a run that was cancelled meanwhile had begun', async (world) => {
      const place = await world.place()
      const made = await world.due(place)
      const run = await world.claimOne()
      await world.as(place.tenant, (rows) =>
        rows.runs.end(run, { status: 'cancelled', reason: 'user', at: rows.now }),
      )
      await world.recordOne(run, { startedAt: run.scheduledFor + 5, attempts: 1 })
      const told = await world.runs(made)
      await world.recordOne(run, { startedAt: run.scheduledFor + 90, attempts: 2 })
      expect(await world.runs(made)).toEqual(told)
      expect(told).toMatchObject([{ startedAt: run.scheduledFor + 5, attempts: 1 }])
    })

    check('tells when the next wakes, though another one never will', async (world) => {
      const place = await world.place()
      const [waking, ending] = [await world.due(place), await world.due(place)]
      const { claimed } = await world.claim()
      const plan = { ...(await world.plan(ending)), suspended: true }
      await world.as(place.tenant, (rows) => rows.plans.put(plan))
      const { nextWakeAt } = await world.record(...outcomesOf(claimed, [waking, ending]))
      expect(nextWakeAt).toBe((await world.plan(waking)).nextRunAt)
      expect((await world.plan(ending)).nextRunAt).toBeNull()
    })

    check('waits for nobody who is changing one of the endpoints', async (world) => {
      const [mine, theirs] = [await world.place(), await world.place()]
      const [calm, changing] = [await world.due(mine), await world.due(theirs)]
      const { claimed } = await world.claim()
      const outcomes = outcomesOf(claimed, [calm, changing])
      const { answers } = await world.during(
        theirs.tenant,
        (rows) => rows.endpoints.get(changing.endpoint.id),
        () => world.record(...outcomes),
      )
      const isLocked = world.store.name === 'postgres'
      expect(answers).toEqual(['recorded', isLocked ? 'busy' : 'recorded'])
      expect(await world.runs(calm)).toMatchObject([{ status: 'success' }])
      expect(await world.runs(changing)).toMatchObject([
        { status: isLocked ? 'running' : 'success' },
      ])
      const again = await world.record(...outcomes)
      expect(again.answers).toEqual(['repeated', isLocked ? 'recorded' : 'repeated'])
      expect(await world.plan(changing)).toMatchObject({ held: null, lastStatus: 'success' })
    })

    check('is refused for a run that no longer holds its endpoint', async (world) => {
      const place = await world.place()
      const made = await world.due(place)
      const run = await world.claimOne()
      const holding = await world.plan(made)
      for (const change of [{ held: null }, { fence: run.fence + 1 }]) {
        const plan = { ...holding, ...change }
        await world.as(place.tenant, (rows) => rows.plans.put(plan))
        expect(await world.recordOne(run)).toBe('fenced')
        expect(await world.plan(made)).toEqual(plan)
        expect(await world.runs(made)).toMatchObject([{ status: 'running' }])
      }
    })

    check('still ends the run of an endpoint that was deleted meanwhile', async (world) => {
      const place = await world.place()
      const made = await world.due(place)
      const run = await world.claimOne()
      await world.as(place.tenant, (rows) => rows.endpoints.delete(made.endpoint.id))
      const { answers, nextWakeAt } = await world.record(outcomeOf(run))
      expect({ answers, nextWakeAt }).toEqual({ answers: ['recorded'], nextWakeAt: null })
      expect(await world.runs(made)).toMatchObject([{ status: 'success', notes: [] }])
    })

    check('plans by what the endpoint has become meanwhile', async (world) => {
      const place = await world.place()
      const made = await world.due(place, byInterval(hour))
      const run = await world.claimOne()
      const definition = { ...made.endpoint.definition, ...byInterval(2 * hour) }
      await world.as(place.tenant, async (rows) => {
        const { plan } = (await rows.endpoints.get(made.endpoint.id))!
        await rows.endpoints.update({ ...made.endpoint, version: 2, definition })
        await rows.plans.put({ ...plan, version: 2 })
      })
      expect(await world.recordOne(run)).toBe('recorded')
      expect((await world.plan(made)).nextRunAt).toBe(run.scheduledFor + 5 + 2 * hour)
    })

    check('writes the periods down that came while the run was under way', async (world) => {
      const made = await world.endpoint(await world.place(), byCron('* * * * *'))
      await world.as({ id: made.endpoint.tenantId }, (rows) => {
        const nextRunAt = Math.floor(rows.now / minute) * minute
        return rows.plans.put({ ...made.plan, nextRunAt })
      })
      const run = await world.claimOne({ withinMs: 0 })
      // It was under way since three minutes: nothing but its instant tells.
      const since = run.scheduledFor - 3 * minute
      const { id: endpointId, tenantId } = made.endpoint
      const early = { ...run, scheduledFor: since }
      await world.as({ id: tenantId }, async (rows) => {
        const { plan } = (await rows.endpoints.get(endpointId))!
        const row = (await rows.runs.get(run))!
        await rows.runs.end(run, { status: 'cancelled', reason: 'the case', at: rows.now })
        await rows.runs.insert({ ...row, scheduledFor: since })
        const held = { ...plan.held!, scheduledFor: since }
        await rows.plans.put({ ...plan, held, nextRunAt: since, handledThrough: since })
      })
      const { now } = await world.record(outcomeOf(early))
      const skipped = (await world.runs(made)).filter(({ status }) => status === 'skipped')
      expect(skipped.length).toBeGreaterThanOrEqual(2)
      expect(skipped.slice(0, 2)).toMatchObject([
        { scheduledFor: since + minute, reason: 'concurrency', tenantId },
        { scheduledFor: since + 2 * minute, reason: 'concurrency', tenantId },
      ])
      expect((await world.plan(made)).nextRunAt).toBeGreaterThan(now)
    })
  })
}
