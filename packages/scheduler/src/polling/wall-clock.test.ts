import type { Clock } from '@kron/runtime'
import { describe, expect, it } from 'vitest'
import { Announcer, type SchedulerEvent } from '../event/index.js'
import { WallClock } from './wall-clock.js'
import { WatchedTime } from './watched-time.js'

const minute = 60_000
const start = 600 * minute

/** A wall clock at the start of a minute, and what it tells. */
function wallClock() {
  let now: () => number = () => start
  const events: SchedulerEvent[] = []
  const errors: string[] = []
  const clock: Clock = { now: () => new Date(now()), sleep: async () => undefined }
  const announcer = new Announcer((event) => void events.push(event), {
    error: (sentence) => void errors.push(sentence),
  })
  const watched = new WatchedTime(0)
  watched.beginAt(start)
  const wall = new WallClock(clock, watched, start, announcer)
  const shows = (next: () => number): void => {
    now = next
  }
  return { wall, watched, events, errors, shows }
}

describe('the wall clock', () => {
  it('that fails, or shows no time, has stood still', () => {
    const { wall, errors, shows } = wallClock()
    shows(() => start + 5)
    expect(wall.look()).toEqual({ now: start + 5, wentBack: false })
    shows(() => Number.NaN)
    expect(wall.now()).toBe(start + 5)
    shows(() => {
      throw new Error('no clock')
    })
    expect(wall.now()).toBe(start + 5)
    expect(errors).toEqual([expect.stringContaining('no clock')])
  })

  it.each([
    { title: 'a millisecond back', to: start - 1, wentBack: true, type: 'ClockSetBack' },
    { title: 'nowhere', to: start, wentBack: false, type: undefined },
    { title: 'almost a minute late', to: start + 2 * minute - 1, wentBack: false, type: undefined },
    { title: 'a minute late', to: start + 2 * minute, wentBack: false, type: 'PollingDelayed' },
  ])('that went $title since it was to wake is reported', ({ to, wentBack, type }) => {
    const { wall, events, shows } = wallClock()
    // To wake a minute after the start.
    expect(wall.restUntil(start + 5 * minute, start)).toBe(minute)
    shows(() => to)
    expect(wall.look()).toEqual({ now: to, wentBack })
    expect(events.map((event) => event.type)).toEqual(type === undefined ? [] : [type])
  })

  it('tells from where it was set back, and how late it was', () => {
    const { wall, events, shows } = wallClock()
    wall.restUntil(start + 20_000, start)
    shows(() => start + 20_000 + 3 * minute)
    wall.look()
    shows(() => start)
    wall.look()
    expect(events).toEqual([
      {
        type: 'PollingDelayed',
        time: new Date(start + 20_000 + 3 * minute),
        expectedAt: new Date(start + 20_000),
        delayMs: 3 * minute,
      },
      {
        type: 'ClockSetBack',
        time: new Date(start),
        from: new Date(start + 20_000 + 3 * minute),
      },
    ])
  })

  it('is behind when a minute has passed since it was looked at', () => {
    const { wall, shows } = wallClock()
    shows(() => start + minute - 1)
    expect(wall.isBehind).toBe(false)
    shows(() => start + minute)
    expect(wall.isBehind).toBe(true)
  })

  it.each([
    { title: 'what comes first', until: 1000, now: 0, rest: 1000 },
    { title: 'the next minute', until: 90_000, now: 0, rest: minute },
    { title: 'the minute that is next', until: 900_000, now: minute - 1, rest: 1 },
    { title: 'nothing, if it is over', until: -5, now: 10, rest: 0 },
    { title: 'the next minute if there is nothing', until: Infinity, now: 5, rest: minute - 5 },
  ])('rests until $title', ({ until, now, rest }) => {
    const { wall } = wallClock()
    expect(wall.restUntil(start + until, start + now)).toBe(rest)
  })

  it.each([
    { title: 'goes on', to: start + minute, came: [0, 1], not: [] },
    { title: 'is late by minutes', to: start + 4 * minute, came: [0, 4], not: [1, 2, 3] },
    { title: 'was set back', to: start - 3 * minute, came: [-3, 0], not: [-2, -1, 1] },
  ])('that $title has been watched where it was', ({ to, came, not }) => {
    const { wall, watched, shows } = wallClock()
    wall.restUntil(start + minute, start)
    shows(() => to)
    const { now } = wall.look()
    wall.hasWatchedUntil(now)
    const has = (n: number): boolean => watched.has(start + n * minute, 0)
    expect([came.filter(has), not.filter(has)]).toEqual([came, []])
  })

  it('that jumps between the look and the work has not been watched in between', () => {
    const { wall, watched } = wallClock()
    wall.look()
    wall.hasWatchedUntil(start + minute - 1)
    wall.hasWatchedUntil(start + 3 * minute)
    const has = [0, 1, 2, 3].map((n) => watched.has(start + n * minute, 0))
    expect(has).toEqual([true, false, false, true])
  })
})
