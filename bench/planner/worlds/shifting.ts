import { dayMs, hourMs, minuteMs } from '../world.ts'
import { instants } from './chance.ts'
import { world } from './made-world.ts'

const fastest = 1 / (10 * minuteMs)
const slowest = 1 / (12 * hourMs)

/** Memoryless, with another rate every few days. */
export default [
  world('shifting rate', 'shifting', (random, end) => {
    const shifts: { readonly from: number; readonly rate: number }[] = []
    for (let from = 0; from < end; from += (2 + 4 * random()) * dayMs) {
      shifts.push({ from, rate: slowest * (fastest / slowest) ** random() })
    }
    const rate = (at: number): number => shifts.findLast(({ from }) => from <= at)!.rate
    return { changes: instants(random, rate, fastest, end), rate }
  }),
]
