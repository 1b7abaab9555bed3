import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { byCron, byInterval, sampleNow } from '../../testing/sample-endpoint.js'
import { away, lost, minute, WorkerWorld } from '../../testing/worker/worker-world.js'
import type { Store } from '../store/index.js'
import { defaultWorkerLimits } from './worker.js'

const { gatherMs, pollMs } = defaultWorkerLimits
const world = new WorkerWorld()
const { added, at, between, ms, started } = world
beforeEach(world.open)
afterEach(world.close)

describe('claims', () => {
  it('come ever more slowly while they fail, and start again after one that does not', async () => {
    const { store, claimsAt } = world.claimsSeen({
      claim: (request, planning) => {
        const isAnswered = claimsAt.length === 7 || claimsAt.length > 9
        return isAnswered ? world.store.claim(request, planning) : Promise.reject(away())
      },
    })
    started({ store })
    await at(15_000)
    const waits = claimsAt.slice(1).map((claimedAt, index) => claimedAt - claimsAt[index]!)
    expect(waits.slice(0, 9)).toEqual([200, 400, 800, 1_600, 3_000, 3_000, pollMs, 200, 400])
  })

  /** An instant by the database, from when it records. */
  type Wake = (now: number) => number | null
  it.each<[string, Wake, number]>([
    ['nothing', () => null, 0],
    ['something that the next claim sees in time', (now) => now + pollMs + 1, 0],
    ['something that is due until then', (now) => now + pollMs, 1],
  ])('follow an outcome after which %s comes next', async (_, wake, claims) => {
    await added()
    const { store, claimsAt } = world.claimsSeen({
      record: async (outcomes, planning) => {
        const answer = await world.store.record(outcomes, planning)
        return { ...answer, nextWakeAt: wake(answer.now) }
      },
    })
    started({ store })
    await at(minute + 1_500)
    const recordedAt = minute + 100 + gatherMs
    expect(claimsAt.filter((one) => one === minute + 100 || one === recordedAt)).toHaveLength(
      claims,
    )
  })
})

describe('the time at the database', () => {
  it('is looked at three times before the first claim', async () => {
    const asked: number[] = []
    const time = () => {
      asked.push(ms())
      return world.store.time()
    }
    started({ store: between({ time }) })
    await at(minute)
    expect(asked).toEqual([0, 0, 0])
  })

  it('is learned from what is recorded as well', async () => {
    await added(byInterval(1_000))
    /** Answers that are under way for so long leave it open how late it is by now. */
    const late = async <T>(answer: Promise<T>): Promise<T> => {
      const said = await answer
      await world.clock.sleep(40)
      return said
    }
    const store: Partial<Store> = {
      time: () => late(world.store.time()),
      claim: (request, planning) => late(world.store.claim(request, planning)),
    }
    started({ store: between(store) })
    await at(2_500)
    const [first, second] = world.sent.map((one) => one.at)
    expect(first).toBe(1_040)
    expect(second).toBeLessThan(2_005)
  })
})

describe('a failure of the store', () => {
  const lines = () => world.lines.map((line) => JSON.parse(line))
  const failing = (error: Error) => () => Promise.reject(error)

  it.each<[string, Partial<Store>, string, object]>([
    ['time', { time: failing(away()) }, 'the store is away', {}],
    ['claim', { claim: failing(away()) }, 'the store is away', {}],
    [
      'settle',
      { claim: failing(lost()), settleClaim: failing(new Error('no answer')) },
      'no answer',
      {},
    ],
    ['record', { record: failing(away()) }, 'the store is away', { waiting: 1 }],
  ])('is logged and counted: %s', async (operation, change, error, fields) => {
    await added()
    started({ store: between(change) })
    await at(minute + 110 + gatherMs)
    const found = lines().filter((line) => line.operation === operation)
    expect(found[0]).toMatchObject({ event: 'store_failed', level: 'warn', error, ...fields })
    const counted = `kron_store_failures_total{operation="${operation}"} ${found.length}\n`
    expect(world.metrics.expose()).toContain(counted)
  })

  it('that is no error is logged as its text', async () => {
    started({ store: between({ time: () => Promise.reject('gone') }) })
    await at(1)
    expect(lines()[0]).toMatchObject({ event: 'store_failed', operation: 'time', error: 'gone' })
  })
})

it('tells of periods that had to start before the schedule counted', async () => {
  const endpoint = await added(byCron('* * * * *'))
  const noon = sampleNow - minute / 2
  const since = noon + 1
  await world.store.tenant(world.tenantId, async (rows) => {
    const { plan } = (await rows.endpoints.get(endpoint.id))!
    const responsibility = { ...plan.responsibility!, since }
    const due = { nextRunAt: noon, periodId: '2026-03-01T12:00:00Z' }
    await rows.plans.put({ ...plan, ...due, responsibility })
  })
  started()
  await at(minute / 2 - 1)
  const line = { level: 'info', event: 'not_responsible', endpoint: endpoint.id, since }
  expect(world.lines.map((one) => JSON.parse(one))).toMatchObject([
    { ...line, periods: ['2026-03-01T12:00:00Z'] },
  ])
  expect(world.sent).toEqual([])
})
