import { dayMs, hourMs, minuteMs } from '../world.ts'
import { instants } from './chance.ts'
import { world } from './made-world.ts'

const busy = 1 / (2 * hourMs)
const parisMs = hourMs
const firstWeekday = 4

/** A cron baseline, whose calendar is law, and a resource that changes in the same hours. */
export default [
  world(
    'every 10 min at work',
    'calendars',
    (random, end) => {
      const rate = (at: number): number => {
        const local = at + parisMs
        const hour = (local % dayMs) / hourMs
        const weekday = (Math.floor(local / dayMs) + firstWeekday) % 7
        return weekday >= 1 && weekday <= 5 && hour >= 9 && hour < 16.8 ? busy : 0
      }
      return { changes: instants(random, rate, busy, end), rate }
    },
    {
      cron: '*/10 9-16 * * MON-FRI',
      timezone: 'Europe/Paris',
      baselineMs: 42 * minuteMs,
      maxIntervalMs: 96 * hourMs,
    },
  ),
]
