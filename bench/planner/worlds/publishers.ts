import { dayMs, hourMs, minuteMs, type World } from '../world.ts'
import { normal } from './chance.ts'
import { type WorldOptions, world } from './made-world.ts'

/** Something that is published once in each period, a little early or late. */
export const publisher = (
  name: string,
  family: string,
  periodMs: number,
  spreadMs: number,
  options: WorldOptions = {},
): World =>
  world(
    name,
    family,
    (random, end) => {
      const phase = random() * periodMs
      const changes: number[] = []
      for (let due = phase; due < end; due += periodMs) {
        const at = due + normal(random) * spreadMs
        if (at > 0 && at < end) changes.push(at)
      }
      const peak = 1 / (spreadMs * Math.sqrt(2 * Math.PI))
      const rate = (at: number): number => {
        const past = (at - phase + 1.5 * periodMs) % periodMs
        const away = (past - periodMs / 2) / spreadMs
        return 0.01 / periodMs + 0.99 * peak * Math.exp(-0.5 * away * away)
      }
      return { changes: changes.sort((a, b) => a - b), rate }
    },
    options,
  )

export default [
  publisher('hourly publisher', 'hourly publishers', hourMs, 2 * minuteMs),
  publisher('hourly, every 15 min', 'hourly publishers', hourMs, 3 * minuteMs, {
    baselineMs: 15 * minuteMs,
  }),
  publisher('daily publisher', 'daily publishers', dayMs, 20 * minuteMs),
  publisher('daily, every 15 min', 'daily publishers', dayMs, 45 * minuteMs, {
    baselineMs: 15 * minuteMs,
  }),
]
