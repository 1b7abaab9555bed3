import { describe, expect, it } from 'vitest'
import { leastShare, type Member, shareBudget } from './common-budget.js'
import { newMemory } from './memory.js'

const minuteMs = 60_000

/** An endpoint whose resource changed so often a day. */
function member(changesADay: number, over: Partial<Member> = {}): Member {
  const baselineMs = over.baselineMs ?? 5 * minuteMs
  const memory = newMemory(baselineMs, 0)
  memory.changes = 100
  memory.exposureMs = (100 / changesADay) * 24 * 60 * minuteMs
  return { memory, baselineMs, minMs: 1000, ...over }
}

const callsOf = (members: readonly Member[], shares: readonly number[]): number =>
  members.reduce((sum, { baselineMs }, index) => sum + shares[index]! / baselineMs, 0)

describe('a common budget', () => {
  it('goes to endpoints as the root of their rates', () => {
    const members = [member(4), member(9), member(16)]
    const shares = shareBudget(members, 1)
    expect(shares.map((share) => share / shares[0]!)).toEqual([
      1,
      expect.closeTo(1.5, 6),
      expect.closeTo(2, 6),
    ])
    expect(callsOf(members, shares)).toBeCloseTo(3 / (5 * minuteMs), 9)
  })

  it('is spent whole, whatever the endpoints are', () => {
    for (let seed = 1; seed <= 50; seed++) {
      const members = Array.from({ length: 1 + (seed % 7) }, (_, index) =>
        member(0.1 * 3 ** ((seed * (index + 3)) % 9), {
          baselineMs: (1 + ((seed + index) % 5)) * minuteMs,
        }),
      )
      const shares = shareBudget(members, 1)
      const whole = members.reduce((sum, { baselineMs }) => sum + 1 / baselineMs, 0)
      expect(callsOf(members, shares) / whole).toBeCloseTo(1, 6)
      expect(Math.min(...shares)).toBeGreaterThanOrEqual(leastShare)
    }
  })

  it('leaves each endpoint half of its baseline', () => {
    const [slow, fast] = shareBudget([member(0.01), member(1000)], 1)
    expect(slow).toBeCloseTo(0.5, 9)
    expect(fast).toBeCloseTo(1.5, 6)
  })

  it('gives no endpoint more than its minimum interval or its limit allows', () => {
    const limited = member(1000)
    limited.memory.floorMs = 4 * minuteMs
    const [first, second, third] = shareBudget(
      [member(1000, { minMs: 3 * minuteMs }), limited, member(1)],
      2,
    )
    expect(first).toBeCloseTo(5 / 3, 6)
    expect(second).toBeCloseTo(5 / 4, 6)
    expect(third).toBeCloseTo(6 - 5 / 3 - 5 / 4, 6)
  })

  it('leaves an endpoint alone whose answer differs each time', () => {
    const liar = member(288)
    liar.memory.changedPart = 0.99
    const shares = shareBudget([liar, member(1), member(1)], 0.5)
    expect(shares).toEqual([0.5, expect.closeTo(0.5, 6), expect.closeTo(0.5, 6)])
  })

  it('takes back what some need beyond their share', () => {
    const greedy = member(1)
    greedy.memory.overspent = 200
    const members = [greedy, member(100)]
    const before = shareBudget([member(1), member(100)], 1)
    expect(shareBudget(members, 1)[1]).toBeLessThan(before[1]!)
  })

  it('is nothing to share without endpoints', () => {
    expect(shareBudget([], 1)).toEqual([])
  })
})
