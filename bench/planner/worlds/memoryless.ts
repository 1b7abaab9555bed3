import { dayMs, hourMs, minuteMs, type World } from '../world.ts'
import { instants } from './chance.ts'
import { type WorldOptions, world } from './made-world.ts'

/** Changes come at any moment alike: there is nothing to learn. */
export const memoryless = (
  name: string,
  meanMs: number,
  options: WorldOptions = {},
  family = 'memoryless',
): World =>
  world(
    name,
    family,
    (random, end) => {
      const rate = (): number => 1 / meanMs
      return { changes: instants(random, rate, rate(), end), rate }
    },
    options,
  )

export default [
  memoryless('memoryless slow', dayMs),
  memoryless('memoryless medium', 3 * hourMs),
  memoryless('memoryless fast', 20 * minuteMs),
]
