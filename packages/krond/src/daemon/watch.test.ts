import { VirtualClock } from '@kron/runtime/testing'
import { describe, expect, it } from 'vitest'
import type { Processes } from '../process/index.js'
import { Watch } from './watch.js'

const process = { pid: 7, startTicks: 1, bootId: 'b' }

/** A process that is there until a time, and when it was looked at. */
function worldUntil(endMs: number) {
  const clock = new VirtualClock(0)
  const looks: number[] = []
  const processes: Processes = {
    isAlive() {
      looks.push(clock.now().getTime())
      return clock.now().getTime() < endMs
    },
    signal: () => true,
    resumeOutput: () => () => Promise.resolve(),
    prepare: () => Promise.reject(new Error('not here')),
  }
  return { clock, looks, processes }
}

const gaps = (looks: readonly number[]): number[] =>
  looks.slice(1).map((look, index) => look - looks[index]!)

describe('a process that is not our child', () => {
  it('is seen to be gone within a second when it is new, within five when it is old', async () => {
    for (const [endMs, within] of [
      [8_500, 1000],
      [3_600_000, 5000],
    ] as const) {
      const world = worldUntil(endMs)
      const watch = new Watch(world, process)
      await world.clock.runUntilIdle()
      expect(await watch.exited).toEqual({ code: null, signal: null })
      expect(Math.max(...gaps(world.looks))).toBe(within)
      expect(world.looks.at(-1)! - endMs).toBeLessThan(within)
    }
  })

  it('is looked at once and then each second when its end is expected', async () => {
    const world = worldUntil(603_500)
    const watch = new Watch(world, process)
    await world.clock.advanceBy(600_100)
    const before = world.looks.length
    watch.expectEnd()
    await world.clock.runUntilIdle()
    expect(world.looks.slice(before)).toEqual([600_100, 601_100, 602_100, 603_100, 604_100])
  })

  it('fails with the clock', async () => {
    const { processes } = worldUntil(1000)
    const broken = new Error('no time')
    const clock = { now: () => new Date(0), sleep: () => Promise.reject(broken) }
    await expect(new Watch({ clock, processes }, process).exited).rejects.toBe(broken)
  })
})
