import { describe, expect } from 'vitest'
import type { EndpointWithPlan } from '../../src/domain/index.js'
import type { Memory } from '../../src/learner/index.js'
import type { Outcome } from '../../src/scheduling/index.js'
import { byInterval } from '../sample-endpoint.js'
import { type Check, hour, minute, outcomeOf, type World } from './world-conformance.js'

const memoryOf = (world: World, { endpoint }: EndpointWithPlan): Promise<Memory | null> =>
  world.store.read(endpoint.tenantId, (rows) => rows.memories.read(endpoint.id))

const answer = (body: string, httpStatus = 200): Partial<Outcome> => ({
  status: httpStatus === 200 ? 'success' : 'failure',
  response: { httpStatus, headers: {}, truncated: false, body: Buffer.from(body) },
})

/** Has an endpoint run once more, a minute after its last run. */
async function runAgain(world: World, made: EndpointWithPlan, change: Partial<Outcome>) {
  const requested = await world.as({ id: made.endpoint.tenantId }, async (rows) => {
    const { plan } = (await rows.endpoints.get(made.endpoint.id))!
    await rows.plans.put({ ...plan, nextRunAt: (plan.lastRunAt ?? rows.now - hour) + minute })
    return plan
  })
  expect(requested.held).toBeNull()
  const run = await world.claimOne()
  expect(await world.recordOne(run, change)).toBe('recorded')
  return run
}

export function describeLearned(check: Check): void {
  describe('what was learned', () => {
    check('is stored with the run', async (world) => {
      const made = await world.due(await world.place())
      expect(await memoryOf(world, made)).toBeNull()
      const first = await runAgain(world, made, answer('one'))
      const memory = await memoryOf(world, made)
      expect(memory).toMatchObject({ since: first.scheduledFor + 5, seen: 0 })
      const second = await runAgain(world, made, answer('two'))
      const later = (await memoryOf(world, made))!
      expect(later.since).toBe(memory!.since)
      expect(later.lastSeenAt).toBe(second.scheduledFor + 5)
      expect(later.seen).toBe(1)
      expect(later.counts.some((count) => count > 0)).toBe(true)
      await runAgain(world, made, answer('two'))
      expect((await memoryOf(world, made))!.counts).toEqual(later.counts)
    })

    check('is nothing of an endpoint with planner: off', async (world) => {
      const made = await world.due(await world.place(), { planner: 'off' })
      await runAgain(world, made, answer('one'))
      expect(await memoryOf(world, made)).toBeNull()
    })

    check('is learned once, however often a run is recorded', async (world) => {
      const made = await world.due(await world.place())
      await runAgain(world, made, answer('one'))
      const run = await runAgain(world, made, answer('two'))
      const before = await memoryOf(world, made)
      expect(await world.recordOne(run, answer('three'))).toBe('repeated')
      expect(await world.recordOne({ ...run, fence: run.fence - 1 }, answer('three'))).toBe(
        'fenced',
      )
      expect(await memoryOf(world, made)).toEqual(before)
    })

    check('goes on from what another worker has recorded', async (world) => {
      const made = await world.due(await world.place())
      const workers = [world.planning, world.newPlanning()]
      // The first one keeps what it stored, while the second one stores more.
      for (const [index, worker] of [0, 0, 1, 1, 0, 1, 0].entries()) {
        world.planning = workers[worker]!
        await runAgain(world, made, answer(`body ${index}`))
      }
      expect((await memoryOf(world, made))!.seen).toBeCloseTo(6, 1)
    })

    check('is nothing of a first run, which has nothing to be compared with', async (world) => {
      const made = await world.due(await world.place(), {}, { lastRunAt: null })
      await runAgain(world, made, answer('one'))
      expect(await memoryOf(world, made)).toBeNull()
      await runAgain(world, made, answer('two'))
      expect(await memoryOf(world, made)).not.toBeNull()
    })

    check('is of each endpoint its own', async (world) => {
      const place = await world.place()
      const made = [await world.due(place), await world.due(place), await world.due(place)]
      for (const bodies of ['abc', 'axc']) {
        for (const each of made) {
          await world.as(place.tenant, async (rows) => {
            const { plan } = (await rows.endpoints.get(each.endpoint.id))!
            await rows.plans.put({ ...plan, nextRunAt: (plan.lastRunAt ?? 0) + minute })
          })
        }
        const { claimed } = await world.claim()
        const outcomes = made.map(({ endpoint }, index) => {
          const run = claimed.find(({ endpointId }) => endpointId === endpoint.id)!
          return outcomeOf(run, answer(bodies[index]!))
        })
        await world.record(...outcomes)
      }
      const seen = await Promise.all(made.map(async (each) => (await memoryOf(world, each))?.seen))
      expect(seen).toEqual([0, 1, 0])
    })

    check('moves the next run where planners may act, and nowhere else', async (world) => {
      const place = await world.place()
      for (const [planner, source] of [
        ['on', 'ai-interval'],
        ['suggest', 'baseline-interval'],
        ['off', 'baseline-interval'],
      ] as const) {
        const made = await world.due(place, { ...byInterval(hour), planner })
        await runAgain(world, made, answer('', 500))
        expect(await world.plan(made)).toMatchObject({ source })
        await world.as(place.tenant, (rows) => rows.endpoints.delete(made.endpoint.id))
      }
    })

    check('leaves a session, and where planners act an entry of the audit log', async (world) => {
      const place = await world.place()
      for (const planner of ['on', 'suggest'] as const) {
        const made = await world.due(place, { ...byInterval(hour), planner })
        for (const status of [200, 500, 500, 200]) await runAgain(world, made, answer('', status))
        const { id } = made.endpoint
        const page = { limit: 10, after: null }
        const [sessions, audit] = await world.as(place.tenant, async (rows) => [
          (await rows.sessions.list({ ...page, endpointId: id })).items,
          (await rows.audit.list({ ...page, subject: id })).items,
        ])
        const isOn = planner === 'on'
        expect(sessions).toMatchObject([
          { planner: 'rules', endpointId: id, read: { why: 'back' }, said: 'It works again.' },
          {
            read: { why: 'down' },
            actions: isOn ? [{ kind: 'proposeInterval' }] : [],
            suggested: isOn
              ? []
              : [{ before: { source: 'baseline-interval' }, after: { source: 'ai-interval' } }],
          },
        ])
        expect(audit.map(({ actor, action }) => [actor, action])).toEqual(
          isOn ? Array(2).fill(['planner:rules', 'endpoint.hint_interval']) : [],
        )
        await world.as(place.tenant, (rows) => rows.endpoints.delete(id))
      }
    })

    check('is gone with its endpoint, and with its job', async (world) => {
      const place = await world.place()
      const one = await world.due(place)
      await runAgain(world, one, answer('one'))
      expect(await memoryOf(world, one)).not.toBeNull()
      await world.as(place.tenant, (rows) => rows.endpoints.delete(one.endpoint.id))
      expect(await memoryOf(world, one)).toBeNull()
      const other = await world.due(place)
      await runAgain(world, other, answer('one'))
      expect(await memoryOf(world, other)).not.toBeNull()
      await world.as(place.tenant, (rows) => rows.jobs.delete(place.job.id))
      expect(await memoryOf(world, other)).toBeNull()
    })
  })
}
