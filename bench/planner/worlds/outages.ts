import { hourMs, minuteMs } from '../world.ts'
import { memoryless } from './memoryless.ts'

const family = 'long and short outages'

export default [
  memoryless('short outages', 2 * hourMs, { outageMs: 10 * minuteMs }, family),
  memoryless('long outages', 2 * hourMs, { outageMs: 3 * hourMs }, family),
]
