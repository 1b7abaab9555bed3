import { VirtualClock } from '@kron/runtime'
import { describe, expect, it } from 'vitest'
import { sampleNow } from '../../test/sample-endpoint.js'
import { sampleOutcome } from '../../test/sample-outcome.js'
import {
  type Outcome,
  type Planning,
  type RecordAnswer,
  type Recorded,
  type Store,
  StoreError,
} from '../store/index.js'
import { Recorder } from './recorder.js'

const gatherMs = 20

const outcome = (n: number): Outcome => {
  const endpointId = `ep_${String(n).padStart(26, '0')}`
  const key = { endpointId, tenantId: 'ten_00000000000000000000000001', scheduledFor: sampleNow }
  return sampleOutcome({ ...key, fence: 1, overlapping: false }, sampleNow)
}

const numberOf = ({ endpointId }: Outcome): number => Number(endpointId.slice(3))

const away = () => new StoreError('unavailable', 'away', 'unknown')

/** A recorder in virtual time. The store takes `writeMs`, and fails while `isAway`. */
function setUp({ mostAtOnce = 100, writeMs = 0 } = {}) {
  const clock = new VirtualClock(0)
  const now = () => clock.now().getTime()
  const world = {
    clock,
    isAway: false,
    rushedUntil: 0,
    answer: 'recorded' as Recorded,
    /** What was sent to the store, and when. */
    batches: [] as { readonly at: number; readonly runs: number[] }[],
    recorded: [] as [number, Recorded][],
    heard: [] as [now: number, sentAt: number, count: number][],
    failures: [] as number[],
    onRecorded: (_outcome: Outcome): void => undefined,
    add: (...runs: number[]) => {
      for (const run of runs) world.recorder.add(outcome(run))
    },
    recorder: null as unknown as Recorder,
  }
  const record = async (outcomes: readonly Outcome[]): Promise<RecordAnswer> => {
    world.batches.push({ at: now(), runs: outcomes.map(numberOf) })
    if (writeMs > 0) await clock.sleep(writeMs)
    if (world.isAway) throw away()
    return { now: sampleNow, answers: outcomes.map(() => world.answer), nextWakeAt: null }
  }
  world.recorder = new Recorder({
    store: { record } as Partial<Store> as Store,
    planning: {} as Planning,
    clock,
    mostAtOnce,
    gatherMs,
    isRushed: () => now() < world.rushedUntil,
    elapsed: now,
    onRecorded: (one, answer) => {
      world.recorded.push([numberOf(one), answer])
      world.onRecorded(one)
    },
    onBatch: (answer, sentAt, count) => void world.heard.push([answer.now, sentAt, count]),
    onFailure: (_error, waiting) => void world.failures.push(waiting),
  })
  return world
}

describe('outcomes', () => {
  it('gather for a moment and are written together', async () => {
    const world = setUp()
    world.add(1)
    await world.clock.advanceBy(gatherMs - 1)
    expect(world.batches).toEqual([])
    world.add(2, 3)
    await world.clock.advanceBy(1)
    expect(world.batches).toEqual([{ at: gatherMs, runs: [1, 2, 3] }])
    expect(world.heard).toEqual([[sampleNow, gatherMs, 3]])
    expect(world.recorded).toEqual([1, 2, 3].map((run) => [run, 'recorded']))
  })

  it('that end while a batch is written make the next one', async () => {
    const world = setUp({ writeMs: 300 })
    world.add(1)
    await world.clock.advanceBy(100)
    world.add(2)
    await world.clock.advanceBy(100)
    world.add(3)
    await world.clock.advanceBy(1_000)
    const second = gatherMs + 300 + gatherMs
    expect(world.batches).toEqual([
      { at: gatherMs, runs: [1] },
      { at: second, runs: [2, 3] },
    ])
  })

  it('are written at most so many at once, and at once when there are as many', async () => {
    const world = setUp({ mostAtOnce: 2 })
    world.add(1, 2, 3, 4, 5)
    expect(world.recorder.size).toBe(5)
    await world.clock.advanceBy(1_000)
    // The first one begins when it alone is there.
    expect(world.batches.map(({ runs }) => runs)).toEqual([[1, 2], [3, 4], [5]])
    expect(world.batches.map(({ at }) => at)).toEqual([gatherMs, gatherMs, 2 * gatherMs])
    expect(world.recorder.size).toBe(0)
  })

  it('wait for a rush to end', async () => {
    const world = setUp()
    world.rushedUntil = 200
    world.add(1)
    await world.clock.advanceBy(199)
    world.add(2)
    expect(world.batches).toEqual([])
    await world.clock.advanceBy(gatherMs)
    expect(world.batches.map(({ runs }) => runs)).toEqual([[1, 2]])
  })

  it('do not wait longer than half a second for a rush to end', async () => {
    const world = setUp()
    world.rushedUntil = Number.POSITIVE_INFINITY
    world.add(1)
    await world.clock.advanceBy(499)
    expect(world.batches).toEqual([])
    await world.clock.advanceBy(2 * gatherMs)
    expect(world.batches.map(({ runs }) => runs)).toEqual([[1]])
  })

  it('do not wait for a rush to end when there are too many of them', async () => {
    const world = setUp({ mostAtOnce: 30_000 })
    world.rushedUntil = Number.POSITIVE_INFINITY
    for (let run = 0; run < 20_000; run++) world.add(run)
    await world.clock.advanceBy(gatherMs)
    expect(world.batches.map(({ runs }) => runs.length)).toEqual([20_000])
  })

  it('are written again after failures, ever more slowly, until the store has them', async () => {
    const world = setUp()
    world.isAway = true
    world.add(1)
    await world.clock.advanceBy(gatherMs)
    world.add(2, 3)
    await world.clock.advanceBy(10_000)
    const waits = world.batches.slice(1).map(({ at }, index) => at - world.batches[index]!.at)
    expect(waits).toEqual([50, 100, 200, 400, 800, 1_600, 2_000, 2_000, 2_000])
    expect(world.batches.every(({ runs }) => runs.join() === '1')).toBe(true)
    expect(world.failures[0]).toBe(1)
    expect(world.failures.at(-1)).toBe(3)
    expect(world.recorded).toEqual([])
    world.isAway = false
    await world.clock.advanceBy(2_000 + gatherMs)
    expect(world.recorded.map(([run]) => run)).toEqual([1, 2, 3])
  })

  it('are told about as the store answered', async () => {
    const world = setUp()
    world.answer = 'fenced'
    world.add(1)
    await world.clock.advanceBy(1_000)
    expect(world.recorded).toEqual([[1, 'fenced']])
  })

  it('are all written, at whatever instant they are added', async () => {
    const hops = Array.from({ length: 30 }, (_, hop) => hop)
    for (const hop of hops) {
      const world = setUp()
      const later = async (): Promise<void> => {
        for (let left = hop; left > 0; left--) await null
        world.add(2)
      }
      world.onRecorded = (one) => {
        if (numberOf(one) === 1) void later()
      }
      world.add(1)
      await world.clock.advanceBy(1_000)
      expect({ hop, runs: world.recorded.map(([run]) => run) }).toEqual({ hop, runs: [1, 2] })
    }
  })
})

describe('waiting for the last words', () => {
  it('ends when everything that was added is written', async () => {
    const world = setUp({ mostAtOnce: 2, writeMs: 100 })
    world.add(1, 2, 3)
    let drainedAt: number | null = null
    void world.recorder.drained().then(() => {
      drainedAt = world.clock.now().getTime()
    })
    await world.clock.advanceBy(150)
    world.add(4, 5)
    await world.clock.advanceBy(5_000)
    expect(world.recorded.map(([run]) => run)).toEqual([1, 2, 3, 4, 5])
    expect(drainedAt).toBe(world.batches.at(-1)!.at + 100)
  })

  it('ends at once when nothing was added', async () => {
    const { recorder, batches } = setUp()
    await recorder.drained()
    expect(batches).toEqual([])
  })

  it('ends soon after giving up, and nothing more is sent', async () => {
    const world = setUp()
    world.isAway = true
    world.add(1)
    await world.clock.advanceBy(1_000)
    world.recorder.giveUp()
    const drained = world.recorder.drained()
    const sent = world.batches.length
    world.add(2)
    await world.clock.advanceBy(2_000)
    await drained
    world.isAway = false
    world.add(3)
    await world.recorder.drained()
    await world.clock.advanceBy(10_000)
    expect(world.batches).toHaveLength(sent)
    expect(world.clock.pending).toBe(0)
  })
})
