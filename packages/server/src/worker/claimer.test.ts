import { MetricRegistry } from '@kron/runtime'
import { VirtualClock } from '@kron/runtime/testing'
import { describe, expect, it } from 'vitest'
import { sampleNow } from '../../testing/sample-endpoint.js'
import { away, lost } from '../../testing/worker/worker-world.js'
import { EndpointPlanning } from '../scheduling/index.js'
import { type Claim, type ClaimRequest, type Store, StoreError } from '../store/index.js'
import { Claimer } from './claimer.js'
import { DatabaseTime } from './database-time.js'
import { workerMetrics } from './worker-metrics.js'

const answer: Claim = {
  now: sampleNow,
  claimed: [],
  ended: [],
  full: false,
  nextWakeAt: null,
  nextCrowdAt: null,
}

/** A claimer whose store takes 40 ms for a claim, and fails as it is told to. */
function setUp() {
  const clock = new VirtualClock(5_000)
  const elapsed = () => clock.now().getTime()
  const registry = new MetricRegistry()
  const time = new DatabaseTime(elapsed)
  const world = {
    clock,
    time,
    claims: [] as ClaimRequest[],
    settled: [] as { readonly id: string; readonly at: number }[],
    failed: [] as [string, unknown][],
    claimError: null as unknown,
    settleErrors: [] as unknown[],
    isStopping: false,
    /** Claims by their results. */
    counted: (result: string) => {
      const line = `kron_claims_total{result="${result}"}`
      const found = registry
        .expose()
        .split('\n')
        .find((each) => each.startsWith(line))
      return Number(found?.slice(line.length) ?? 0)
    },
    seconds: () => /kron_claim_seconds_sum (\S+)/.exec(registry.expose())?.[1],
  }
  const store: Partial<Store> = {
    claim: async (request) => {
      world.claims.push(request)
      await clock.sleep(40)
      if (world.claimError !== null) throw world.claimError
      return answer
    },
    settleClaim: async (id) => {
      world.settled.push({ id, at: elapsed() })
      const error = world.settleErrors.shift()
      if (error !== undefined) throw error
      return answer
    },
  }
  const claimer = new Claimer({
    store: store as Store,
    clock,
    elapsed,
    owner: 'wrk_1',
    planning: new EndpointPlanning({
      maxDefinitions: 1,
      readSteering: () => ({ problems: [] }),
      onBroken: () => undefined,
    }),
    time,
    metrics: workerMetrics(registry),
    crowd: 9,
    withinMs: () => 300,
    isStopping: () => world.isStopping,
    onFailure: (operation, error) => void world.failed.push([operation, error]),
  })
  /** Lets time pass until the claim has come to its end. */
  const claim = async (): Promise<Claim | null> => {
    const done = claimer.claim(7, ['ten_2'])
    await clock.advanceBy(100_000)
    return done
  }
  return { ...world, world, claim }
}

describe('a claim', () => {
  it('asks for what its worker wants, each under a name of its own', async () => {
    const { claims, claim } = setUp()
    expect([await claim(), await claim()]).toEqual([answer, answer])
    const wanted = { owner: 'wrk_1', limit: 7, withinMs: 300, crowd: 9, without: ['ten_2'] }
    expect(claims).toMatchObject([wanted, wanted])
    const names = claims.map(({ claimId }) => claimId)
    expect(new Set(names).size).toBe(2)
    for (const name of names) expect(name).toMatch(/^wrk_1\.[0-9a-z]{16}$/)
  })

  it('tells the time of the database, between when it was sent and answered', async () => {
    const { time, claim, clock } = setUp()
    await claim()
    const passed = clock.now().getTime() - 5_000
    expect(time.earliest).toBe(sampleNow - 40 + passed)
    expect(time.latest).toBeGreaterThanOrEqual(sampleNow + passed)
  })

  it('is counted, with the time that it took', async () => {
    const { claim, counted, seconds, failed, settled } = setUp()
    await claim()
    expect([counted('answered'), counted('failed'), counted('settled')]).toEqual([1, 0, 0])
    expect(seconds()).toBe('0.04')
    expect([failed, settled]).toEqual([[], []])
  })
})

describe('a claim that failed', () => {
  it('and took no effect is not asked about', async () => {
    const { world, claim, counted, settled } = setUp()
    world.claimError = away()
    expect(await claim()).toBeNull()
    expect(world.failed).toEqual([['claim', world.claimError]])
    expect([counted('answered'), counted('failed')]).toEqual([0, 1])
    expect(settled).toEqual([])
  })

  it.each([
    ['by losing its answer', lost()],
    ['by what no store says', new Error('no store says this')],
  ])('%s is asked about by its name, and its worker goes on at once', async (_name, error) => {
    const { world, claim, counted, settled, claims } = setUp()
    world.claimError = error
    expect(await claim()).toEqual({ ...answer, full: true })
    expect(settled.map(({ id }) => id)).toEqual([claims[0]!.claimId])
    expect([counted('failed'), counted('settled')]).toEqual([1, 1])
  })

  it('is asked about ever more slowly, until there is an answer', async () => {
    const { world, claim, settled } = setUp()
    world.claimError = lost()
    world.settleErrors = Array.from(
      { length: 7 },
      () => new StoreError('unavailable', 'away', 'no'),
    )
    expect(await claim()).toEqual({ ...answer, full: true })
    const waits = settled.slice(1).map(({ at }, index) => at - settled[index]!.at)
    expect(waits).toEqual([100, 200, 400, 800, 1_600, 3_000, 3_000])
    expect(new Set(settled.map(({ id }) => id)).size).toBe(1)
    expect(world.failed.map(([operation]) => operation)).toEqual([
      'claim',
      ...Array.from({ length: 7 }, () => 'settle'),
    ])
  })

  it('is asked about once by a worker that stops', async () => {
    const { world, claim, settled } = setUp()
    world.claimError = lost()
    world.settleErrors = [away(), away()]
    world.isStopping = true
    expect(await claim()).toBeNull()
    expect(settled).toHaveLength(1)
  })
})
