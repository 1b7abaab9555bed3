import type { Memory } from './memory.js'
import type { Outlook } from './outlook.js'

const minuteMs = 60_000
const halfHourMs = 30 * minuteMs
const minStepMs = 15_000

/**
 * The gap after a look at `from`: it ends where the integral of the root of the expected rate
 * reaches `threshold`, which is the square-root law. `maxMs` ends it in any case.
 */
export function spacing(
  memory: Memory,
  outlook: Outlook,
  threshold: number,
  { from: begin, maxMs }: { readonly from: number; readonly maxMs: number },
): number {
  const end = begin + maxMs
  const { isFine } = outlook
  const gridMs = isFine ? minuteMs : halfHourMs
  let sum = 0
  for (let at = begin; at < end; ) {
    // Ages matter in proportion to themselves.
    const ageMs = Math.max(minStepMs, (at - memory.changedAt) / 2)
    const next = Math.min((Math.floor(at / gridMs) + 1) * gridMs, at + ageMs, end)
    outlook.at((at + next) / 2, isFine)
    const root = outlook.root()
    const more = root * (next - at)
    if (sum + more >= threshold) return at + (threshold - sum) / root - begin
    sum += more
    at = next
  }
  return maxMs
}
