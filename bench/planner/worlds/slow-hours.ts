import { dayMs, hourMs } from '../world.ts'
import { instants } from './chance.ts'
import { world } from './made-world.ts'

const meanMs = 2 * hourMs
const slowestMs = 8_000

/** Changes at any moment alike; the answers take seconds by day and a moment by night. */
export default [
  world('slow by day', 'latency by the hour', (random, end) => {
    const rate = (): number => 1 / meanMs
    const respond = (at: number) => {
      const hour = (at % dayMs) / hourMs
      const extraMs = hour >= 9 && hour < 17 ? Math.round(slowestMs * random()) : 0
      return { status: 200, durationMs: 200 + extraMs }
    }
    return { changes: instants(random, rate, rate(), end), rate, respond }
  }),
]
