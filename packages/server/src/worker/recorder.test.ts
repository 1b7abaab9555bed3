import { describe, expect, it } from 'vitest'
import { sampleNow } from '../../testing/sample-endpoint.js'
import { gatherMs, numberOf, range, setUp, withBody } from '../../testing/worker/recorder-world.js'

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
    const world = setUp({ maxAtOnce: 2 })
    world.add(1, 2, 3, 4, 5)
    expect(world.recorder.size).toBe(5)
    await world.clock.advanceBy(1_000)
    expect(world.batches.map(({ runs }) => runs)).toEqual([[1, 2], [3, 4], [5]])
    expect(world.batches.map(({ at }) => at)).toEqual([0, 0, gatherMs])
    expect(world.recorder.size).toBe(0)
  })

  it('are written three batches at a time at most', async () => {
    const world = setUp({ maxAtOnce: 2, writeMs: 100 })
    world.add(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
    await world.clock.advanceBy(1_000)
    expect(world.batches.map(({ at }) => at)).toEqual([0, 0, gatherMs, 100, 100])
    expect(world.recorded.map(([run]) => run).sort((a, b) => a - b)).toEqual(range(1, 10))
  })

  it('are written beside a batch as soon as there are as many as that may have', async () => {
    const world = setUp({ maxAtOnce: 2, writeMs: 100 })
    world.add(1)
    await world.clock.advanceBy(gatherMs + 10)
    world.add(2, 3)
    await world.clock.advanceBy(10)
    expect(world.batches).toEqual([
      { at: gatherMs, runs: [1] },
      { at: gatherMs + 10, runs: [2, 3] },
    ])
  })

  it('wait for a rush to end', async () => {
    const world = setUp({ maxAtOnce: 5_000 })
    world.rushedUntil = 200
    await world.rush(199)
    expect(world.batches).toEqual([])
    await world.clock.advanceBy(2 * gatherMs)
    expect(world.batches.map(({ runs }) => runs.length)).toEqual([world.recorder.size + 199 * 5])
  })

  it('do not wait longer than half a second for a rush to end', async () => {
    const world = setUp({ maxAtOnce: 5_000 })
    world.rushedUntil = Number.POSITIVE_INFINITY
    await world.rush(499)
    expect(world.batches).toEqual([])
    await world.rush(2 * gatherMs)
    expect(world.batches).toHaveLength(1)
  })

  it('do not wait for requests that only wait for slow targets', async () => {
    const world = setUp()
    world.rushedUntil = Number.POSITIVE_INFINITY
    world.add(1)
    await world.clock.advanceBy(2 * gatherMs)
    expect(world.batches.map(({ runs }) => runs)).toEqual([[1]])
  })

  it.each([
    [39, 1],
    [40, 0],
  ])('go on waiting for a rush only while it is one: %d in 20 ms', async (count, batches) => {
    const world = setUp({ maxAtOnce: 5_000 })
    world.rushedUntil = Number.POSITIVE_INFINITY
    world.add(...range(1, 100))
    await world.clock.advanceBy(gatherMs + 10)
    world.add(...range(101, 100 + count))
    await world.clock.advanceBy(gatherMs - 10)
    expect(world.batches).toHaveLength(batches)
  })

  it('do not wait for a rush to end when there are too many of them', async () => {
    const world = setUp({ maxAtOnce: 30_000 })
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

describe('outcomes of one endpoint whose runs overlap', () => {
  it('are written in their order, though other batches could be written beside the first', async () => {
    const world = setUp({ maxAtOnce: 2, writeMs: 100 })
    world.overlap('1a', '2a', '1b', '1c', '3a', '4a', '1d')
    await world.clock.advanceBy(90)
    expect(world.overlaps).toEqual([
      ['1a', '2a'],
      ['3a', '4a'],
    ])
    await world.clock.advanceBy(1_000)
    expect(world.overlaps.slice(2)).toEqual([['1b', '1c'], ['1d']])
  })

  it('wait for the last of those in hand, and not only for the first', async () => {
    const world = setUp({ maxAtOnce: 2 })
    world.busyAt.add(2)
    world.overlap('1a', '1b')
    await world.clock.advanceBy(gatherMs)
    world.overlap('1c', '2a')
    await world.clock.advanceBy(gatherMs)
    expect(world.overlaps).toEqual([['1a', '1b'], ['2a']])
    world.busyAt.clear()
    await world.clock.advanceBy(1_000)
    expect(world.overlaps.slice(2)).toEqual([['1b', '1c']])
  })

  it('are written in their order, though the first ones were put aside', async () => {
    const world = setUp()
    world.busy.add(1)
    world.overlap('1a', '1b')
    await world.clock.advanceBy(gatherMs)
    world.overlap('1c', '2a')
    await world.clock.advanceBy(gatherMs)
    expect(world.overlaps).toEqual([['1a', '1b'], ['2a']])
    world.busy.clear()
    await world.clock.advanceBy(1_000)
    expect(world.overlaps.slice(2)).toEqual([['1a', '1b', '1c']])
  })
})

describe('an outcome of runs that overlap', () => {
  it('does not wait for those of its endpoint that came when its runs did not', async () => {
    const world = setUp()
    world.add(1)
    await world.clock.advanceBy(gatherMs)
    world.overlap('1b')
    await world.clock.advanceBy(gatherMs)
    expect(world.overlaps).toEqual([['1a'], ['1b']])
  })
})

describe('an outcome whose endpoint somebody is changing', () => {
  it('is one of three batches at a time when it comes back, and not of a fourth', async () => {
    const world = setUp({ maxAtOnce: 2, writeMs: 100 })
    world.busy.add(1)
    world.add(1, 2)
    // It comes back 50 ms after the answer.
    await world.clock.advanceBy(110)
    world.busy.clear()
    world.add(3, 4, 5, 6, 7, 8)
    await world.clock.advanceBy(30)
    world.add(9)
    await world.clock.advanceBy(1_000)
    const [, ...later] = world.batches
    expect(later.map(({ at }) => at)).toEqual([110, 110, 130, 210])
    expect(later.at(-1)!.runs).toEqual([1, 9])
  })

  it('is written later, and holds up no other', async () => {
    const world = setUp()
    world.busy.add(1)
    world.add(1, 2)
    await world.clock.advanceBy(500)
    expect(world.recorded).toEqual([[2, 'recorded']])
    expect(world.batches.length).toBeGreaterThan(3)
    expect(world.batches.length).toBeLessThan(20)
    world.busy.clear()
    await world.clock.advanceBy(100)
    await world.recorder.drained()
    expect(world.recorded).toEqual([
      [2, 'recorded'],
      [1, 'recorded'],
    ])
    expect(world.failures).toEqual([])
  })
})

describe('large bodies', () => {
  it('are written together up to 8 MiB', async () => {
    const world = setUp()
    for (let run = 1; run <= 3; run++) world.recorder.add(withBody(run, 4 * 1024 * 1024))
    await world.clock.advanceBy(1_000)
    expect(world.batches.map(({ runs }) => runs)).toEqual([[1, 2], [3]])
  })

  it('are written few at a time', async () => {
    const world = setUp()
    for (let run = 1; run <= 6; run++) world.recorder.add(withBody(run, 3_000_000))
    await world.clock.advanceBy(1_000)
    expect(world.batches.map(({ runs }) => runs)).toEqual([
      [1, 2],
      [3, 4],
      [5, 6],
    ])
  })

  it('are written alone where one is larger than a batch should be', async () => {
    const world = setUp()
    for (let run = 1; run <= 2; run++) world.recorder.add(withBody(run, 9_000_000))
    await world.clock.advanceBy(1_000)
    expect(world.batches.map(({ runs }) => runs)).toEqual([[1], [2]])
  })
})

describe('waiting for the last words', () => {
  it('ends when everything that was added is written', async () => {
    const world = setUp({ maxAtOnce: 2, writeMs: 100 })
    world.add(1, 2, 3)
    let drainedAt: number | null = null
    void world.recorder.drained().then(() => {
      drainedAt = world.clock.now().getTime()
    })
    await world.clock.advanceBy(150)
    world.add(4, 5)
    await world.clock.advanceBy(5_000)
    expect(world.recorded.map(([run]) => run)).toEqual([1, 2, 3, 4, 5])
    expect(drainedAt).toBe(Math.max(...world.batches.map(({ at }) => at)) + 100)
  })

  it('does not end while an outcome is put aside', async () => {
    const world = setUp()
    world.busy.add(1)
    world.add(1)
    await world.clock.advanceBy(gatherMs)
    world.busy.clear()
    const recordedThen: number[] = []
    void world.recorder.drained().then(() => recordedThen.push(...world.recorded.map(([n]) => n)))
    await world.clock.advanceBy(1_000)
    expect(recordedThen).toEqual([1])
  })

  it('does not end while one is put aside and another is written', async () => {
    const world = setUp({ writeMs: 200 })
    world.busy.add(1)
    world.add(1)
    await world.clock.advanceBy(gatherMs + 200)
    world.busy.clear()
    world.add(2)
    const recordedThen: number[] = []
    void world.recorder.drained().then(() => recordedThen.push(...world.recorded.map(([n]) => n)))
    await world.clock.advanceBy(2_000)
    expect(recordedThen.toSorted()).toEqual([1, 2])
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
