import { createLog, MetricRegistry } from '@kron/runtime'
import { VirtualClock } from '@kron/runtime/testing'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { sampleRun } from '../../testing/sample-endpoint.js'
import { SampleStore } from '../../testing/sample-store.js'
import type { Endpoint } from '../domain/index.js'
import type { ExcessPruned, Store, SystemTransaction } from '../store/index.js'
import { type RetentionOptions, retentionLoop } from './retention-loop.js'

type Step = (rows: SystemTransaction, look: () => Promise<ExcessPruned>) => Promise<ExcessPruned>

const opened: SampleStore[] = []

afterEach(async () => {
  for (const { store } of opened.splice(0)) await store.close()
})

/** A tenant whose endpoints have runs, and what the loop did to them. */
class Swept {
  readonly sample: SampleStore
  readonly endpoints: Endpoint[] = []
  /** What each transaction did, in order. */
  readonly steps: ExcessPruned[] = []
  readonly failures: string[] = []

  constructor(sample: SampleStore) {
    this.sample = sample
  }

  static async of(runsPerEndpoint: number, counts: readonly number[]): Promise<Swept> {
    const swept = new Swept(await SampleStore.open({ retention: { runsPerEndpoint } }))
    opened.push(swept.sample)
    for (const count of counts) await swept.add(count)
    return swept
  }

  async add(count: number): Promise<void> {
    const { store, now } = this.sample
    const endpoint = await this.sample.addEndpoint()
    this.endpoints.push(endpoint)
    const { id: endpointId, tenantId } = endpoint
    await store.tenant(tenantId, async (rows) => {
      for (let age = 1; age <= count; age++) {
        await rows.runs.insert(sampleRun(now - age, { endpointId, tenantId }))
      }
    })
  }

  /** Runs a loop of its own, as a process that was started would. */
  async sweep(options: Partial<RetentionOptions>, step: Step = (_, look) => look()) {
    const clock = new VirtualClock(this.sample.now)
    const write = (line: string): void => void this.failures.push(JSON.parse(line).message)
    const log = createLog({ format: 'json', level: 'error', component: 'retention', clock, write })
    const stop = new AbortController()
    const ports = { store: this.#watched(step), clock, log, metrics: new MetricRegistry() }
    const loop = retentionLoop({ ...ports, pauseMs: 10, ...options }, stop.signal)
    await clock.advanceBy(60_000)
    stop.abort()
    await loop
  }

  /** Ages of the runs that are left, by endpoint. */
  async left(): Promise<number[][]> {
    const { store, now } = this.sample
    const left: number[][] = []
    for (const { id: endpointId, tenantId } of this.endpoints) {
      const page = { endpointId, limit: 200, after: null }
      const { items } = await store.tenant(tenantId, (rows) => rows.runs.list(page))
      left.push(items.map(({ scheduledFor }) => now - scheduledFor))
    }
    return left
  }

  #watched(step: Step): Store {
    const { store } = this.sample
    return Object.assign(Object.create(store) as Store, {
      system: <T>(work: (rows: SystemTransaction) => Promise<T>) =>
        store.system((rows) => {
          const pruneExcess: SystemTransaction['pruneExcess'] = async (tenant, most) => {
            const did = await step(rows, () => rows.pruneExcess(tenant, most))
            this.steps.push(did)
            return did
          }
          return work({ ...rows, pruneExcess })
        }),
    })
  }
}

const newest = (counts: readonly number[], keep: number): number[][] =>
  counts.map((count) => Array.from({ length: Math.min(count, keep) }, (_, index) => index + 1))

describe('a sweep by number', () => {
  it('leaves what the rule says of all endpoints, in bounded steps', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(12), { maxLength: 12 }),
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 7 }),
        async (counts, keep, endpointsPerBatch, batch) => {
          const swept = await Swept.of(keep, counts)
          await swept.sweep({ endpointsPerBatch, batch })
          expect(await swept.left()).toEqual(newest(counts, keep))
          for (const { runs, endpoints } of swept.steps) {
            expect(runs).toBeLessThanOrEqual(batch)
            expect(endpoints).toBeLessThanOrEqual(endpointsPerBatch)
          }
        },
      ),
      { numRuns: 60, seed: 20_260_315 },
    )
  })

  it('looks at each endpoint once, and not again before the next sweep', async () => {
    const swept = await Swept.of(2, Array(10).fill(4))
    await swept.sweep({ endpointsPerBatch: 3, everyMs: 600_000 })
    expect(swept.steps.map(({ endpoints }) => endpoints)).toEqual([3, 3, 3, 1])
  })

  it('does not stop at endpoints that have nothing to remove', async () => {
    const counts = [0, 1, 2, 0, 2, 1, 0, 9]
    const swept = await Swept.of(2, counts)
    await swept.sweep({ endpointsPerBatch: 2 })
    expect(await swept.left()).toEqual(newest(counts, 2))
  })

  it('of more endpoints than one turn may look at goes on in the next', async () => {
    const counts = Array(9).fill(3)
    const swept = await Swept.of(1, counts)
    const limits = { endpointsPerBatch: 2, batchesPerTenant: 2, everyMs: 600_000 }
    await swept.sweep(limits)
    expect(swept.steps.map(({ endpoints }) => endpoints)).toEqual([2, 2, 2, 2, 1])
    expect(await swept.left()).toEqual(newest(counts, 1))
  })

  it('that dies loses nothing, and the next process goes on from there', async () => {
    const counts = Array(8).fill(3)
    const swept = await Swept.of(1, counts)
    await swept.sweep({ endpointsPerBatch: 2, everyMs: 600_000 }, async (_, look) => {
      const did = await look()
      if (swept.steps.length === 2) throw new Error('died')
      return did
    })
    expect(swept.failures).toEqual(['died'])
    expect(await swept.left()).toEqual([
      ...newest(Array(4).fill(3), 1),
      ...newest(Array(4).fill(3), 3),
    ])
    await swept.sweep({ endpointsPerBatch: 2, everyMs: 600_000 })
    expect(swept.steps.map(({ runs }) => runs)).toEqual([4, 4, 4, 4, 0])
    expect(await swept.left()).toEqual(newest(counts, 1))
  })
})
