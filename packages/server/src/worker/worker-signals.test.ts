import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sampleNow } from '../../testing/sample-endpoint.js'
import { away, firstRunOf, minute, WorkerWorld } from '../../testing/worker/worker-world.js'
import type { Store } from '../store/index.js'

const world = new WorkerWorld()
const { added, at, between, signalsWith, started, stopped } = world
beforeEach(world.open)
afterEach(world.close)

type Published = Parameters<Store['signals']['publish']>[0]

/** A store that keeps what is published. */
function published() {
  const events: Published[] = []
  const publish = (some: Published) => void events.push(some)
  return { events, store: between({ signals: signalsWith({ publish }) }) }
}

describe('the events of a worker', () => {
  it('are not made where nobody listens', async () => {
    await added()
    const { events, store } = published()
    started({ store })
    await at(minute + 1_000)
    expect([world.sent.length, events]).toEqual([1, []])
  })

  it('tell of a run whose worker was lost', async () => {
    const endpoint = await added()
    const dying = started({ store: between({ record: () => Promise.reject(away()) }) })
    await at(minute + 1_000)
    await stopped(dying, 0)
    const { events, store } = published()
    started({ store })
    await at(2 * minute + 10_000)
    const ended = { type: 'run.ended', subject: firstRunOf(endpoint), status: 'cancelled' }
    expect(events).toMatchObject([[{ ...ended, tenantId: world.tenantId }]])
    expect(events[0]![0]!.at).toBeGreaterThan(sampleNow + minute + 1_000)
    expect(world.metrics.expose()).toContain('kron_runs_total{status="cancelled"} 1')
  })
})

describe('a worker that has stopped', () => {
  it('hears no more signals', async () => {
    const heard = new Set<string>()
    const listening = (name: string) => () => {
      heard.add(name)
      return () => void heard.delete(name)
    }
    const signals = signalsWith({
      onWake: listening('wake'),
      onAbort: listening('abort'),
      onSecret: listening('secret'),
    })
    const worker = started({ store: between({ signals }) })
    await at(1_000)
    expect([...heard]).toEqual(['wake', 'abort', 'secret'])
    await stopped(worker, 0)
    expect([...heard]).toEqual([])
  })
})
