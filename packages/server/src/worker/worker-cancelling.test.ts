import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sampleNow } from '../../testing/sample-endpoint.js'
import { firstRunOf, minute, never, WorkerWorld } from '../../testing/worker/worker-world.js'
import { cancelRun } from '../use-cases/index.js'

const world = new WorkerWorld()
const { added, at, call, runsOf, started } = world
beforeEach(world.open)
afterEach(world.close)

describe('a run that the API cancels', () => {
  it('before it is due is never sent, and the next one comes in its time', async () => {
    const endpoint = await added()
    const worker = started()
    await at(minute - 100)
    expect(worker.inFlight).toBe(1)
    const events: string[] = []
    world.store.signals.onEvent(world.tenantId, ({ type }) => events.push(type))
    await call((one) => cancelRun(one, firstRunOf(endpoint)))
    await at(minute - 1)
    expect(worker.inFlight).toBe(0)
    await at(2 * minute - 1)
    expect(world.metrics.expose()).toContain('kron_runs_total{status="cancelled"} 1')
    expect([...new Set(events)]).toEqual(['run.ended'])
    expect(await runsOf(endpoint)).toMatchObject([{ status: 'cancelled', reason: 'user' }, {}])
    await at(2 * minute + 1_000)
    expect(world.sent.map((one) => one.at)).toEqual([2 * minute])
  })

  it('before the answer to its claim has arrived is never sent', async () => {
    const endpoint = await added()
    const store = world.between({
      claim: async (request, planning) => {
        const claim = await world.store.claim(request, planning)
        if (claim.claimed.length > 0) await world.clock.sleep(1_000)
        return claim
      },
    })
    started({ store })
    await at(minute + 100)
    await call((one) => cancelRun(one, firstRunOf(endpoint)))
    await at(2 * minute - 1)
    expect(world.sent).toEqual([])
    await at(2 * minute + 1_000)
    expect(world.sent).toHaveLength(1)
  })

  it('while it is sent is given up at once, and lets the next one come', async () => {
    const endpoint = await added()
    world.takesMs.set(endpoint.id, never)
    started()
    await at(minute + 5_000)
    await call((one) => cancelRun(one, firstRunOf(endpoint)))
    await at(minute + 6_000)
    expect(world.sent).toMatchObject([{ at: minute, endedAt: minute + 5_000 }])
    expect(await runsOf(endpoint)).toMatchObject([{ status: 'cancelled', reason: 'user' }])
    await at(2 * minute + 1_000)
    expect(world.sent).toHaveLength(2)
  })

  it('without the worker hearing of it has its result refused', async () => {
    const endpoint = await added()
    world.takesMs.set(endpoint.id, 5_000)
    const worker = started()
    await at(minute + 1_000)
    const key = { endpointId: endpoint.id, scheduledFor: sampleNow + minute }
    const end = { status: 'cancelled', reason: 'user', at: world.sample.now } as const
    await world.store.tenant(world.tenantId, (rows) => rows.runs.end(key, end))
    await at(minute + 6_000)
    expect(await runsOf(endpoint)).toMatchObject([{ status: 'cancelled', response: null }])
    expect(world.metrics.expose()).toContain('kron_outcomes_fenced_total 1')
    expect(JSON.parse(world.lines[0]!)).toMatchObject({
      event: 'outcome_fenced',
      status: 'success',
    })
    expect(worker.inFlight).toBe(0)
  })
})
