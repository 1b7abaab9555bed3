import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '@kron/runtime'
import { VirtualClock } from '@kron/runtime/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DueRuns } from './due-runs.js'

interface Start {
  readonly run: string
  /** By the time that decides, which is behind the clock by a part of a millisecond. */
  readonly at: number
}

function setUp(behindMs = 0) {
  const clock = new VirtualClock(0)
  const now = () => clock.now().getTime() - behindMs
  const starts: Start[] = []
  const due = new DueRuns<string>(clock, now, (run) => void starts.push({ run, at: now() }))
  return { clock, due, starts }
}

const startOf =
  (starts: readonly Start[]) =>
  (run: string): Start =>
    starts.find((start) => start.run === run)!

describe('runs that wait for their time', () => {
  it('start neither early nor late, whenever they were added', async () => {
    const added = fc.array(
      fc.record({
        after: fc.nat({ max: 400 }),
        ahead: fc.integer({ min: -200, max: 1_000 }),
      }),
      { minLength: 1, maxLength: 30 },
    )
    const behind = fc.double({ min: 0, max: 0.99, noNaN: true })
    await fc.assert(
      fc.asyncProperty(added, behind, async (all, behindMs) => {
        const { clock, due, starts } = setUp(behindMs)
        const watching = due.watch()
        const expected = new Map<string, number>()
        for (const [index, { after, ahead }] of all.entries()) {
          await clock.advanceBy(after)
          const at = clock.now().getTime() + ahead
          expected.set(`run ${index}`, Math.max(at, clock.now().getTime() - behindMs))
          due.add(`run ${index}`, at)
        }
        await clock.advanceBy(2_000)
        expect(starts).toHaveLength(all.length)
        for (const [run, earliest] of expected) {
          const { at } = startOf(starts)(run)
          expect(at).toBeGreaterThanOrEqual(earliest)
          expect(at).toBeLessThan(earliest + 1)
        }
        expect(due.close()).toEqual([])
        await watching
      }),
      { numRuns: 150, seed: 21 },
    )
  })

  it('start in the order of their times, and of being added where those are equal', async () => {
    const { clock, due, starts } = setUp()
    const watching = due.watch()
    for (const [run, at] of [
      ['c', 30],
      ['a', 10],
      ['b1', 20],
      ['b2', 20],
    ] as const) {
      due.add(run, at)
    }
    await clock.advanceBy(100)
    expect(starts).toEqual([
      { run: 'a', at: 10 },
      { run: 'b1', at: 20 },
      { run: 'b2', at: 20 },
      { run: 'c', at: 30 },
    ])
    due.close()
    await watching
  })

  it('start in slices, between which other work has its turn', async () => {
    const clock = new VirtualClock(0)
    let started = 0
    const seenByOthers: number[] = []
    const due = new DueRuns<number>(
      clock,
      () => 0,
      () => {
        // Asked for by the first of each slice, before the slice is over.
        if (started++ % 128 === 0) setImmediate(() => seenByOthers.push(started))
      },
    )
    for (let run = 0; run < 300; run++) due.add(run, 0)
    const watching = due.watch()
    await clock.advanceBy(0)
    expect(seenByOthers).toEqual([128, 256, 300])
    due.close()
    await watching
  })

  it.each([
    ['for five milliseconds at most', Number.POSITIVE_INFINITY, 5],
    ['until the line is shorter', 3, 3],
    ['not at all while there is no line', 1, 1],
  ])('wait between two slices for a long line, %s', async (_, shorterAt, looks) => {
    let now = 1_000
    let looked = 0
    const startedAt: number[] = []
    const due = new DueRuns<number>(
      new VirtualClock(0),
      () => now,
      () => void startedAt.push(now),
      // Each look takes a millisecond.
      () => {
        now++
        return ++looked < shorterAt
      },
    )
    for (let run = 0; run < 129; run++) due.add(run, 0)
    const watching = due.watch()
    while (startedAt.length < 129) await nextTurn()
    expect([looked, startedAt[127], startedAt[128]]).toEqual([looks, 1_000, 1_000 + looks])
    due.close()
    await watching
  })

  it('wake nobody when they are added behind the first', async () => {
    const clock = new VirtualClock(0)
    let sleeps = 0
    const sleep: Clock['sleep'] = (ms, signal) => {
      sleeps++
      return clock.sleep(ms, signal)
    }
    const due = new DueRuns<string>(
      { now: () => clock.now(), sleep },
      () => clock.now().getTime(),
      () => undefined,
    )
    const watching = due.watch()
    const sleepsAfter = async (run: string, at: number): Promise<number> => {
      due.add(run, at)
      await clock.advanceBy(0)
      return sleeps
    }
    const first = await sleepsAfter('first', 10)
    expect(await sleepsAfter('later', 20)).toBe(first)
    expect(await sleepsAfter('at the same time', 10)).toBe(first)
    expect(await sleepsAfter('earlier', 9)).toBe(first + 1)
    due.close()
    await watching
  })

  it('do not start once they are removed', async () => {
    const { clock, due, starts } = setUp()
    const watching = due.watch()
    due.add('gone', 10)
    due.add('here', 20)
    expect(due.remove('gone')).toBe(true)
    expect(due.remove('gone')).toBe(false)
    await clock.advanceBy(100)
    expect(starts).toEqual([{ run: 'here', at: 20 }])
    expect(due.remove('here')).toBe(false)
    due.close()
    await watching
  })

  it('are handed back in order when it closes, and never start', async () => {
    const { clock, due, starts } = setUp()
    const watching = due.watch()
    due.add('late', 50)
    due.add('early', 20)
    due.add('sent', 5)
    await clock.advanceBy(10)
    expect(due.close()).toEqual(['early', 'late'])
    await watching
    await clock.advanceBy(100)
    expect(starts).toEqual([{ run: 'sent', at: 5 }])
    expect(clock.pending).toBe(0)
  })

  it('are handed back as well when they come after it closed', async () => {
    const { due } = setUp()
    const watching = due.watch()
    expect(due.close()).toEqual([])
    await watching
    due.add('too late', 5)
    expect(due.close()).toEqual(['too late'])
  })
})
