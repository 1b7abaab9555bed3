import { createLog, MetricRegistry } from '@kron/runtime'
import { VirtualClock } from '@kron/runtime/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { byInterval, sampleRun } from '../../testing/sample-endpoint.js'
import { SampleStore } from '../../testing/sample-store.js'
import type { Endpoint, Run } from '../domain/index.js'
import type { Pruned, Store, SystemTransaction } from '../store/index.js'
import { type RetentionOptions, retentionLoop } from './retention-loop.js'

const day = 86_400_000
const other = 'ten_00000000000000000000000002'

let sample: SampleStore

beforeEach(async () => {
  sample = await SampleStore.open({ retention: { runDays: 30, runsPerEndpoint: 1000 } })
})

afterEach(async () => {
  await sample.store.close()
})

interface Swept {
  readonly metrics: string
  readonly failures: readonly { readonly identity: string; readonly message: string }[]
  readonly clock: VirtualClock
}

/** Runs the loop for some virtual time. */
async function swept(
  options: Partial<RetentionOptions> = {},
  ms = 60_000,
  clock = new VirtualClock(sample.now),
): Promise<Swept> {
  const failures: Swept['failures'][number][] = []
  const write = (line: string): void => void failures.push(JSON.parse(line))
  const log = createLog({ format: 'json', level: 'error', component: 'retention', clock, write })
  const metrics = new MetricRegistry()
  const stop = new AbortController()
  const { store } = sample
  const loop = retentionLoop({ store, clock, log, metrics, ...options }, stop.signal)
  await clock.advanceBy(ms)
  stop.abort()
  await loop
  return { metrics: metrics.expose(), failures, clock }
}

async function addRuns(endpoint: Endpoint, ages: readonly number[], change: Partial<Run> = {}) {
  await sample.store.tenant(endpoint.tenantId, async (rows) => {
    for (const age of ages) {
      const { id: endpointId, tenantId } = endpoint
      await rows.runs.insert(sampleRun(sample.now - age, { endpointId, tenantId, ...change }))
    }
  })
}

const agesOf = async (endpoint: Endpoint): Promise<number[]> =>
  (
    await sample.store.tenant(endpoint.tenantId, (rows) =>
      rows.runs.list({ endpointId: endpoint.id, limit: 200, after: null }),
    )
  ).items.map(({ scheduledFor }) => sample.now - scheduledFor)

/** The store, with one call of its system transactions replaced. */
function withSystem(change: Partial<SystemTransaction>): Store {
  return Object.assign(Object.create(sample.store) as Store, {
    system: <T>(work: (rows: SystemTransaction) => Promise<T>) =>
      sample.store.system((rows) => work({ ...rows, ...change })),
  })
}

const nothing: Pruned = { runs: 0, bodies: 0, others: 0 }

describe('retention', () => {
  it('removes runs that are too old, of every tenant by its own rule', async () => {
    await sample.addTenant(other, { retention: { runDays: 1 } })
    const mine = await sample.addEndpoint(byInterval(1000))
    const theirs = await sample.addEndpoint(byInterval(1000), other)
    const ages = [day / 2, 2 * day, 29 * day, 31 * day, 400 * day]
    await addRuns(mine, ages)
    await addRuns(theirs, ages)
    const { metrics, failures } = await swept()
    expect(await agesOf(mine)).toEqual([day / 2, 2 * day, 29 * day])
    expect(await agesOf(theirs)).toEqual([day / 2])
    expect(failures).toEqual([])
    expect(metrics).toContain('kron_retention_pruned_total{kind="run"} 6')
    expect(metrics).toContain('kron_retention_sweeps_total 1')
  })

  it('removes runs beyond the number that is kept', async () => {
    await sample.store.close()
    sample = await SampleStore.open({ retention: { runsPerEndpoint: 3 } })
    const endpoint = await sample.addEndpoint()
    await addRuns(endpoint, [1, 2, 3, 4, 5, 6])
    await swept()
    expect(await agesOf(endpoint)).toEqual([1, 2, 3])
  })

  it('leaves what has not ended, however old it is', async () => {
    const endpoint = await sample.addEndpoint()
    await addRuns(endpoint, [90 * day], { status: 'running', endedAt: null })
    await swept()
    expect(await agesOf(endpoint)).toEqual([90 * day])
  })

  it('removes in small batches with a pause after each', async () => {
    const endpoint = await sample.addEndpoint()
    await addRuns(
      endpoint,
      Array.from({ length: 95 }, (_, index) => 40 * day + index),
    )
    const limits: number[] = []
    const times: number[] = []
    const clock = new VirtualClock(sample.now)
    const { store } = sample
    const watched = Object.assign(Object.create(store) as Store, {
      system: <T>(work: (rows: SystemTransaction) => Promise<T>) =>
        store.system((rows) =>
          work({
            ...rows,
            prune: (tenant, limit) => {
              limits.push(limit)
              times.push(clock.now().getTime() - sample.now)
              return rows.prune(tenant, limit)
            },
          }),
        ),
    })
    await swept({ store: watched, batch: 10, pauseMs: 100 }, 60_000, clock)
    expect(await agesOf(endpoint)).toEqual([])
    expect(limits).toEqual(Array(11).fill(10))
    expect(times).toEqual(Array.from({ length: 11 }, (_, index) => index * 100))
  })

  it('lets a tenant with much to remove wait for its next turn, which comes soon', async () => {
    await sample.addTenant(other)
    const large = await sample.addEndpoint()
    const small = await sample.addEndpoint({}, other)
    await addRuns(
      large,
      Array.from({ length: 50 }, (_, index) => 40 * day + index),
    )
    await addRuns(small, [50 * day])
    const limits = { batch: 10, pauseMs: 10, batchesPerTenant: 2, everyMs: 600_000 }
    await swept(limits, 500)
    expect([(await agesOf(large)).length, (await agesOf(small)).length]).toEqual([30, 0])
    await swept(limits, 5_000)
    expect(await agesOf(large)).toEqual([])
  })

  it('sweeps again after a while', async () => {
    const { metrics } = await swept({ everyMs: 60_000 }, 59_999)
    expect(metrics).toContain('kron_retention_sweeps_total 1')
    const later = await swept({ everyMs: 60_000 }, 120_000)
    expect(later.metrics).toContain('kron_retention_sweeps_total 3')
  })

  it('goes on with the others when a tenant can not be pruned', async () => {
    await sample.addTenant(other)
    const pruned: string[] = []
    const store = withSystem({
      prune: async (tenant) => {
        if (tenant.id === sample.tenantId) throw new Error('broken page')
        pruned.push(tenant.id)
        return nothing
      },
    })
    const { failures, metrics } = await swept({ store })
    expect(pruned).toEqual([other])
    expect(failures).toMatchObject([{ identity: sample.tenantId, message: 'broken page' }])
    expect(metrics).toContain('kron_retention_failures_total 1')
  })

  it('tries again later when the store can not be reached', async () => {
    const store = withSystem({ tenants: () => Promise.reject(new Error('no connection')) })
    const { failures, metrics } = await swept({ store, everyMs: 10_000 }, 25_000)
    expect(failures.map(({ message }) => message)).toEqual(Array(3).fill('no connection'))
    expect(metrics).toContain('kron_retention_sweeps_total 0')
  })

  it('removes old claims and remembered answers', async () => {
    const asked: number[] = []
    const store = withSystem({
      pruneTraces: async (before) => {
        asked.push(sample.now - before)
        return asked.length === 1 ? 7 : 0
      },
    })
    const { metrics } = await swept({ store, traceMs: 5 * day })
    expect(asked).toEqual([5 * day, 5 * day])
    expect(metrics).toContain('kron_retention_pruned_total{kind="trace"} 7')
  })

  it('keeps claims and remembered answers for two days', async () => {
    const asked: number[] = []
    const pruneTraces = async (before: number) => {
      asked.push(sample.now - before)
      return 0
    }
    await swept({ store: withSystem({ pruneTraces }) })
    expect(asked).toEqual([2 * day])
  })

  it.each([
    ['runs', { ...nothing, runs: 1 }],
    ['bodies', { ...nothing, bodies: 1 }],
    ['anything else', { ...nothing, others: 1 }],
  ])('goes on with a tenant as long as there are %s', async (_name, some) => {
    const answers = [some, some, nothing]
    const prune = async () => answers.shift()!
    const { failures } = await swept({ store: withSystem({ prune }) })
    expect([answers, failures]).toEqual([[], []])
  })

  it('looks at all pages of tenants', async () => {
    for (let n = 2; n <= 205; n++) {
      await sample.addTenant(`ten_${String(n).padStart(26, '0')}`)
    }
    const seen = new Set<string>()
    const store = withSystem({
      prune: async ({ id }) => {
        seen.add(id)
        return nothing
      },
    })
    await swept({ store })
    expect(seen.size).toBe(205)
  })

  it('ends in the midst of a sweep when it is told to', async () => {
    const store = withSystem({ prune: async () => ({ ...nothing, runs: 1 }) })
    const { clock, failures } = await swept({ store, pauseMs: 1000 }, 5_000)
    expect(clock.pending).toBe(0)
    expect(failures).toEqual([])
  })
})
