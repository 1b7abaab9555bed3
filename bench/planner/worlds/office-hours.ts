import { dayMs, hourMs, minuteMs } from '../world.ts'
import { instants } from './chance.ts'
import { world } from './made-world.ts'

const busy = 1 / (20 * minuteMs)
const idle = 1 / (12 * hourMs)

/** People change it at work: from nine to five on five days, somewhere on earth. */
export default [
  world('office hours', 'office hours', (random, end) => {
    const offset = Math.floor(random() * 24) * hourMs
    const rate = (at: number): number => {
      const local = at + offset
      const hour = (local % dayMs) / hourMs
      const isWorkday = Math.floor(local / dayMs) % 7 < 5
      return isWorkday && hour >= 9 && hour < 17 ? busy : idle
    }
    return { changes: instants(random, rate, busy, end), rate }
  }),
]
