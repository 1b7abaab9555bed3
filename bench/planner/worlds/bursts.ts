import { dayMs, hourMs, minuteMs, type World } from '../world.ts'
import { exponential, instants, isWithin, spans } from './chance.ts'
import { type WorldOptions, world } from './made-world.ts'

/** Quiet for long, then many changes for a while. */
const bursty = (
  name: string,
  meanMs: number,
  everyMs: number,
  lengthMs: number,
  options: WorldOptions = {},
): World =>
  world(
    name,
    'bursty',
    (random, end) => {
      const bursts = spans(random, everyMs, () => exponential(random, lengthMs), end)
      const rate = (at: number): number => (isWithin(bursts, at) ? 1 / meanMs : 1 / (2 * dayMs))
      return { changes: instants(random, rate, 1 / meanMs, end), rate }
    },
    options,
  )

export default [
  bursty('bursts of an hour', 5 * minuteMs, 12 * hourMs, hourMs),
  bursty('rare short bursts', 2 * minuteMs, dayMs, 30 * minuteMs),
]
