import { describe, expect } from 'vitest'
import type { Outcome, Planning } from '../../src/scheduling/index.js'
import type { Recorded, Store } from '../../src/store/index.js'
import { type Check, outcomeOf } from './world-conformance.js'

const workers = 6

/** Recorded again as long as somebody else has one of the endpoints. */
async function recordedAtLast(
  store: Store,
  outcomes: readonly Outcome[],
  planning: Planning,
): Promise<readonly Recorded[]> {
  for (;;) {
    const { answers } = await store.record(outcomes, planning)
    if (!answers.includes('busy')) return answers
  }
}

export function describeConcurrency(check: Check): void {
  describe('many workers at once', () => {
    check('never get the same run', async (world) => {
      const place = await world.place()
      const count = 90
      for (let n = 0; n < count; n++) await world.due(place)
      const plannings = Array.from({ length: workers }, () => world.newPlanning())
      const claimed: string[] = []
      for (let round = 0; claimed.length < count && round < 100; round++) {
        const claims = plannings.map((planning, n) =>
          world.claim({ owner: `wrk_${n}`, limit: 7 }, planning),
        )
        for (const claim of await Promise.all(claims)) {
          claimed.push(...claim.claimed.map(({ endpointId }) => endpointId))
        }
      }
      expect(claimed).toHaveLength(count)
      expect(new Set(claimed).size).toBe(count)
      expect((await world.claim()).claimed).toEqual([])
      const usage = await world.as(place.tenant, (rows) => rows.tenant.usage())
      expect(usage.runs).toBe(count)
    })

    check('claim and record beside each other without loss', async (world) => {
      const place = await world.place()
      const made = []
      for (let n = 0; n < 24; n++) made.push(await world.due(place))
      const work = Array.from({ length: workers }, async (_, n) => {
        const planning = world.newPlanning()
        for (let turn = 0; turn < 8; turn++) {
          const { claimed } = await world.claim({ owner: `wrk_${n}`, limit: 3 }, planning)
          const outcomes = claimed.map((run) => outcomeOf(run, { status: 'failure' }))
          if (outcomes.length > 0) {
            const answers = await recordedAtLast(world.store, outcomes, planning)
            expect(answers).toEqual(outcomes.map(() => 'recorded'))
          }
        }
      })
      await Promise.all(work)
      for (const one of made) {
        const runs = await world.runs(one)
        expect(runs).toMatchObject([{ status: 'failure', scheduledFor: one.plan.nextRunAt }])
        expect(await world.plan(one)).toMatchObject({ failureCount: 1, fence: 1, held: null })
      }
    })

    check('record the same outcome once', async (world) => {
      const made = await world.due(await world.place())
      const run = await world.claimOne()
      const records = Array.from({ length: workers }, () =>
        recordedAtLast(world.store, [outcomeOf(run, { status: 'timeout' })], world.newPlanning()),
      )
      const answers = (await Promise.all(records)).flat()
      expect(answers.filter((answer) => answer === 'recorded')).toHaveLength(1)
      expect(answers.filter((answer) => answer === 'repeated')).toHaveLength(workers - 1)
      expect(await world.plan(made)).toMatchObject({ failureCount: 1 })
    })

    check('leave an endpoint to who edits it, and take it afterwards', async (world) => {
      const place = await world.place()
      const made = await world.due(place)
      const edits = Array.from({ length: 10 }, () =>
        world.as(place.tenant, async (rows) => {
          const found = (await rows.endpoints.get(made.endpoint.id))!
          const version = found.endpoint.version + 1
          await rows.endpoints.update({ ...found.endpoint, version })
          await rows.plans.put({ ...found.plan, version })
        }),
      )
      const claims = Array.from({ length: 10 }, () => world.claim({}, world.newPlanning()))
      const runs = (await Promise.all(claims)).flatMap(({ claimed }) => claimed)
      await Promise.all(edits)
      runs.push(...(await world.claim()).claimed)
      expect(runs).toHaveLength(1)
      expect(world.broken).toEqual([])
      expect(await world.plan(made)).toMatchObject({ version: 11, fence: 1 })
      expect(await world.recordOne(runs[0]!)).toBe('recorded')
    })

    check('wait for nobody who is changing an endpoint, and take all others', async (world) => {
      const place = await world.place()
      const [changing, calm] = [await world.due(place), await world.due(place)]
      const ids = async () => (await world.claim()).claimed.map(({ endpointId }) => endpointId)
      const taken = await world.during(
        place.tenant,
        (rows) => rows.endpoints.get(changing.endpoint.id),
        ids,
      )
      const isLocked = world.store.name === 'postgres'
      const both = [changing.endpoint.id, calm.endpoint.id].sort()
      expect(taken.toSorted()).toEqual(isLocked ? [calm.endpoint.id] : both)
      expect([...taken, ...(await ids())].sort()).toEqual(both)
    })
  })
}
