import { overspentFadeMs } from './learner.js'
import { isTelling, type Memory, meanRate } from './memory.js'

/** An endpoint whose calls are part of a common budget. */
export interface Member {
  readonly memory: Memory
  readonly baselineMs: number
  readonly minMs: number
}

/** No endpoint falls below this part of its baseline's calls. */
export const leastShare = 0.5

const rounds = 60

/**
 * The part of its own baseline's calls that each endpoint gets of a common budget: calls go as the
 * root of the rate of changes, between half of the baseline's and what the minimum interval allows.
 */
export function shareBudget(members: readonly Member[], budget: number): number[] {
  const telling = members.filter(({ memory }) => isTelling(memory))
  const shares = telling.length === 0 ? [] : shareOut(telling, budget)
  return members.map((member) => (isTelling(member.memory) ? shares.shift()! : budget))
}

function shareOut(members: readonly Member[], budget: number): number[] {
  const wanted = members.map(({ memory }) => Math.sqrt(meanRate(memory)) * memory.slant)
  const least = members.map(({ baselineMs }) => leastShare / baselineMs)
  const most = members.map(({ minMs, baselineMs, memory }, index) =>
    Math.max(least[index]!, 1 / Math.max(minMs, memory.floorMs, baselineMs / 20)),
  )
  const callsAt = (price: number): number[] =>
    wanted.map((root, index) => Math.min(Math.max(root / price, least[index]!), most[index]!))
  // What some need beyond their share, such as looks at the maximum interval, the others go without.
  const total = members.reduce(
    (sum, { baselineMs, memory }) => sum + budget / baselineMs - memory.overspent / overspentFadeMs,
    0,
  )
  let low = 1e-12
  let high = 1e12
  for (let round = 0; round < rounds; round++) {
    const price = Math.sqrt(low * high)
    const calls = callsAt(price).reduce((sum, each) => sum + each, 0)
    if (calls > total) low = price
    else high = price
  }
  return callsAt(high).map((calls, index) => calls * members[index]!.baselineMs)
}
