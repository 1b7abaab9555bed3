import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { byInterval, sampleNow } from '../../testing/sample-endpoint.js'
import {
  away,
  firstRunOf,
  lost,
  minute,
  never,
  WorkerWorld,
} from '../../testing/worker/worker-world.js'
import { runId } from '../domain/index.js'
import type { Store, StoreError } from '../store/index.js'
import { putSecret, runEndpoint } from '../use-cases/index.js'
import { verify } from '../webhook/index.js'

const otherTenant = 'ten_00000000000000000000000002'

const world = new WorkerWorld()
const { added, at, between, call, ms, runsOf, started, stopped } = world
beforeEach(world.open)
afterEach(world.close)

describe('a worker', () => {
  it('claims a run ahead of its time and sends it when it is due, and not before', async () => {
    const endpoint = await added()
    const worker = started()
    await at(minute - 301)
    expect(await runsOf(endpoint)).toEqual([])
    await at(minute - 1)
    expect(await runsOf(endpoint)).toMatchObject([{ status: 'running', owner: worker.id }])
    expect([world.sent, worker.inFlight]).toEqual([[], 1])
    await at(minute + 1_000)
    expect(world.sent).toMatchObject([
      { id: firstRunOf(endpoint), at: minute, endedAt: minute + 100 },
    ])
    const startedAt = sampleNow + minute
    const success = { status: 'success', startedAt, endedAt: startedAt + 100, attempts: 1 }
    expect(await runsOf(endpoint)).toMatchObject([success])
    expect(worker.inFlight).toBe(0)
  })

  it('sends the runs of a short interval in time, however long it meant to sleep', async () => {
    await added(byInterval(1_000))
    started()
    await at(4_500)
    expect(world.sent.map((one) => one.at)).toEqual([1_000, 2_000, 3_000, 4_000])
  })

  it('signs with a secret that was replaced a moment ago', async () => {
    const replaced = async () => (await call((one) => putSecret(one, 'default', null, null))).text!
    const first = await replaced()
    await added(byInterval(1_000))
    started()
    await at(1_500)
    const second = await replaced()
    await at(2_500)
    const isSignedBy = (secret: string, one: number): boolean => {
      const { headers, at: sentAt } = world.sent[one]!
      return verify([secret], headers, '', { now: () => sampleNow + sentAt }).valid
    }
    expect([isSignedBy(first, 0), isSignedBy(second, 0)]).toEqual([true, false])
    expect([isSignedBy(first, 1), isSignedBy(second, 1)]).toEqual([false, true])
  })

  it('begins when the store comes back', async () => {
    await added()
    const backAt = minute + 5_000
    const time = () => (ms() < backAt ? Promise.reject(away()) : world.store.time())
    started({ store: between({ time }) })
    await at(minute + 6_000)
    expect(world.sent.map((one) => one.at)).toEqual([backAt])
  })

  it('tells how runs began and ended', async () => {
    const endpoint = await added()
    const events: string[] = []
    world.store.signals.onEvent(world.tenantId, ({ type, subject, status, at: when }) =>
      events.push(`${when - sampleNow} ${type} ${subject} ${status}`),
    )
    started()
    await at(minute + 1_000)
    const id = firstRunOf(endpoint)
    expect(events).toEqual([
      `${minute} run.started ${id} running`,
      `${minute + 100} run.ended ${id} success`,
    ])
  })

  it.each([true, false])('keeps the body of a response: %s', async (keepResponses) => {
    const endpoint = await added({ keepResponses })
    started()
    await at(minute + 1_000)
    const [run] = await runsOf(endpoint)
    expect(run!.response).toMatchObject({ httpStatus: 200, bodyBytes: keepResponses ? 5 : 0 })
    const body = await world.store.tenant(world.tenantId, (rows) => rows.runs.body(run!))
    expect(Buffer.from(body ?? []).toString()).toBe(keepResponses ? 'hello' : '')
  })

  it('has no more runs in flight than it may, and gets to all of them', async () => {
    await world.sample.addTenant(otherTenant)
    const tenants = [world.tenantId, otherTenant, world.tenantId, otherTenant, world.tenantId]
    for (const tenantId of tenants) {
      const { id } = await world.sample.addEndpoint(byInterval(minute), tenantId)
      world.takesMs.set(id, 1_000)
    }
    const worker = started({ maxInFlight: 2 })
    for (const sentThen of [2, 4, 5]) {
      await world.clock.advanceBy(ms() === 0 ? minute + 500 : 1_000)
      expect([world.sent.length, worker.inFlight]).toEqual([sentThen, sentThen === 5 ? 1 : 2])
    }
    expect(new Set(world.sent.map(({ id }) => id)).size).toBe(5)
  })

  it('has room for other tenants, however many runs of one hang', async () => {
    await world.sample.addTenant(otherTenant)
    for (let n = 0; n < 30; n++) world.takesMs.set((await added()).id, 20_000)
    const other = await world.sample.addEndpoint(byInterval(minute + 2_000), otherTenant)
    const worker = started({ maxInFlight: 10 })
    await at(minute + 1_000)
    expect([world.sent.length, worker.inFlight]).toEqual([5, 5])
    const due = minute + 2_000
    await at(due + 1_000)
    const id = runId({ endpointId: other.id, scheduledFor: sampleNow + due })
    expect(world.sent.at(-1)).toMatchObject({ id, at: due })
    await at(5 * minute)
    expect(new Set(world.sent.map((one) => one.id)).size).toBeGreaterThanOrEqual(31)
  })

  it('does not let a broken endpoint hold up the others', async () => {
    const unopenable = await added({ headers: { authorization: 'sealed with a lost key' } })
    const hanging = await added()
    world.takesMs.set(hanging.id, never)
    const unplannable = await added()
    await world.store.tenant(world.tenantId, async (rows) => {
      const { endpoint, plan } = (await rows.endpoints.get(unplannable.id))!
      const baseline = { ...endpoint.definition.baseline, intervalMs: null, cron: 'no schedule' }
      const definition = { ...endpoint.definition, baseline }
      await rows.endpoints.update({ ...endpoint, version: 2, definition })
      await rows.plans.put({ ...plan, version: 2 })
    })
    const fine = await added()
    started()
    await at(minute + 1_000)
    expect(world.sent.map(({ id }) => id).sort()).toEqual([hanging, fine].map(firstRunOf).sort())
    expect(await runsOf(fine)).toMatchObject([{ status: 'success' }])
    const error = { code: 'request_failed' }
    expect(await runsOf(unopenable)).toMatchObject([{ status: 'failure', attempts: 0, error }])
    expect(await runsOf(unplannable)).toEqual([])
    const line = { event: 'endpoint_broken', endpoint: unplannable.id }
    expect(world.lines.map((one) => JSON.parse(one))).toMatchObject([line])
  })

  it.each([
    ['at once when a signal tells of it', true, 5_100],
    ['within two seconds when no signal does', false, 6_000],
  ])('finds a run that is asked for %s', async (_, isHeard, sentAt) => {
    const endpoint = await added()
    const none = () => () => undefined
    const signals = {
      onWake: none,
      onAbort: none,
      onSecret: none,
      onEvent: none,
      isWanted: () => false,
      publish: () => undefined,
    }
    started(isHeard ? {} : { store: between({ signals }) })
    await at(5_100)
    await call((one) => runEndpoint(one, endpoint.id))
    await at(10_000)
    expect(world.sent.map((one) => one.at)).toEqual([sentAt])
  })
})

describe('a claim that fails', () => {
  /** The first claim for the run fails, and so does the first question what became of it. */
  function failingOnce(error: StoreError, takesEffect: boolean) {
    const calls: string[] = []
    const store = between({
      claim: async (request, planning) => {
        const isTurn = ms() >= minute - 300 && !calls.includes('failed')
        calls.push(isTurn ? 'failed' : 'claim')
        if (!isTurn) return world.store.claim(request, planning)
        if (takesEffect) await world.store.claim(request, planning)
        throw error
      },
      settleClaim: (claimId, planning) => {
        calls.push('settle')
        if (calls.at(-2) === 'failed') return Promise.reject(away())
        return world.store.settleClaim(claimId, planning)
      },
    })
    return { store, calls }
  }

  it.each<[string, StoreError, boolean, string[]]>([
    ['after it took effect is settled before the next one', lost(), true, ['settle', 'settle']],
    ['before it took effect is settled before the next one', lost(), false, ['settle', 'settle']],
    ['for certain is not asked about', away(), false, []],
  ])('%s, and its run is sent once', async (_, error, takesEffect, settling) => {
    const endpoint = await added()
    const { store, calls } = failingOnce(error, takesEffect)
    started({ store })
    await at(minute + 1_000)
    const after = calls.slice(calls.indexOf('failed') + 1)
    expect(after.slice(0, settling.length + 1)).toEqual([...settling, 'claim'])
    expect(world.sent).toMatchObject([{ id: firstRunOf(endpoint), at: minute }])
    expect(await runsOf(endpoint)).toMatchObject([{ status: 'success', attempts: 1 }])
  })
})

describe('a run that comes back to the same worker', () => {
  it('is not forgotten when the result of its first delivery is refused', async () => {
    const endpoint = await added({ onWorkerLoss: 'redeliver' })
    const backAt = 2 * minute + 2_100
    const record: Store['record'] = (outcomes, planning) =>
      ms() < backAt ? Promise.reject(away()) : world.store.record(outcomes, planning)
    const worker = started({ store: between({ record }) })
    await at(minute + 1_000)
    world.takesMs.set(endpoint.id, never)
    await at(backAt)
    expect(world.sent.map(({ id }) => id)).toEqual([firstRunOf(endpoint), firstRunOf(endpoint)])
    await at(backAt + 3_000)
    expect(world.metrics.expose()).toContain('kron_outcomes_fenced_total 1')
    expect(worker.inFlight).toBe(1)
    await stopped(worker, 1_000)
    expect(await runsOf(endpoint)).toMatchObject([{ status: 'cancelled', reason: 'shutdown' }])
  })
})
