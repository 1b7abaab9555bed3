import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileConstraints, type ZoneOffsets } from '../constraint/index.js'
import { resolveConstraints, resolveDistribution } from '../definition/index.js'
import { zone } from '../zone/index.js'
import { type Distribution, distributionOf } from './distribution.js'
import { acceptance, drawByRejection, drawExactly, offsetOf, type Sampler } from './sampling.js'
import { SplitMix64 } from './split-mix.js'

const midnight = Date.UTC(2026, 2, 1) / 1000

function sampler(only: string[], distribution: object = { name: 'uniform' }): Sampler {
  const window = { mode: 'after', duration: 3_600_000 } as const
  return {
    distribution: distributionOf(resolveDistribution(distribution), window),
    constraints: compileConstraints(resolveConstraints({ only })),
    zone: zone('UTC'),
  }
}

describe('the second that a place falls on', () => {
  it.each([
    [0, 10, 0],
    [-0.5, 10, 0],
    [Number.NaN, 10, 0],
    [1 / 11, 10, 1],
    [0.5, 10, 5],
    [0.999, 10, 10],
    [1, 10, 10],
    [1.5, 10, 10],
    [Number.POSITIVE_INFINITY, 10, 10],
    [1 - 2 ** -53, 2 ** 25, 2 ** 25],
    [1, 1, 1],
    [0.5, 1, 1],
    [0.4999, 1, 0],
  ])('%f of a window of %i seconds is %i', (x, width, offset) => {
    expect(offsetOf(x, width)).toBe(offset)
  })
})

describe('drawing until one is accepted', () => {
  const random = () => {
    const generator = new SplitMix64()
    generator.seed(1, 2)
    return generator
  }
  const acceptingFrom = (attempt: number) => {
    let asked = 0
    const constraints = { allows: () => ++asked >= attempt, rejectedBy: () => 'not yet' }
    return { ...sampler(['hours=0']), constraints: constraints as never }
  }

  it.each([1, 2, 63, 64])('takes the one at attempt %i', (attempt) => {
    const outcome = { second: 0 }
    const drawn = drawByRejection(acceptingFrom(attempt), random(), midnight, 3600, outcome)
    const numbers = random()
    let last = 0
    for (let i = 0; i < attempt; i++) last = numbers.next()
    expect(drawn).toBe(attempt)
    expect(outcome.second).toBe(midnight + Math.floor(last * 3601))
  })

  it('gives up after 64', () => {
    const outcome = { second: 7 }
    expect(drawByRejection(acceptingFrom(65), random(), midnight, 3600, outcome)).toBe(0)
    expect(outcome.second).toBe(7)
  })
})

describe('an exact draw', () => {
  const laws = [
    { name: 'uniform' },
    { name: 'skewEarly', params: { shape: 3 } },
    { name: 'skewLate' },
    { name: 'normal', params: { sigma: '5m' } },
    { name: 'exponential', params: { lambda: 6 } },
  ]
  const minute = fc.integer({ min: 0, max: 59 })
  const stretch = fc
    .tuple(minute, minute)
    .map(([a, b]) => `between=00:${two(Math.min(a, b))}-00:${two(Math.max(a, b))}`)

  it('is the allowed second at which the probability before it passes the number drawn', () => {
    const check = fc.property(
      fc.array(stretch, { minLength: 1, maxLength: 4 }),
      fc.constantFrom(...laws),
      fc.integer({ min: 1, max: 3600 }),
      fc.integer({ min: 0, max: 2 ** 32 - 1 }).map((n) => n / 2 ** 32),
      (only, distribution, width, u) => {
        const drawn = sampler(only, distribution)
        const masses = massesOf(drawn, midnight, width)
        const allowed = [...masses.keys()]
        const second = drawExactly(drawn, u, midnight, width)
        const total = sum(masses.values())
        expect(acceptance(drawn, midnight, width)).toBeCloseTo(total, 9)
        if (allowed.length === 0) {
          expect(second).toBeNaN()
          return
        }
        expect(allowed).toContain(second)
        if (total === 0) return
        const before = sum(allowed.filter((other) => other < second).map((s) => masses.get(s)!))
        expect(before).toBeLessThanOrEqual(u * total + 1e-9)
        expect(before + masses.get(second)!).toBeGreaterThanOrEqual(u * total - 1e-9)
      },
    )
    fc.assert(check, { numRuns: 1500, seed: 11 })
  })

  it('reaches every allowed second and no other', () => {
    const drawn = sampler(['between=00:01-00:01', 'between=00:03-00:03'])
    const seen = new Set<number>()
    for (let i = 0; i < 2400; i++) seen.add(drawExactly(drawn, i / 2400, midnight, 299) - midnight)
    const expected = [...span(60, 119), ...span(180, 239)]
    expect([...seen].sort((a, b) => a - b)).toEqual(expected)
  })

  it('without constraints is the plain draw', () => {
    const free = sampler([], { name: 'skewLate' })
    expect(free.constraints).toBeNull()
    for (const u of [0, 0.25, 0.5, 0.999]) {
      const offset = offsetOf(free.distribution.quantile(u), 3600)
      expect(drawExactly(free, u, midnight, 3600)).toBe(midnight + offset)
    }
    expect(acceptance(free, midnight, 3600)).toBe(1)
  })

  it('passes over stretches without any probability', () => {
    const late: Distribution = {
      quantile: (u) => 0.5 + u / 2,
      cumulative: (x) => Math.max(0, 2 * x - 1),
    }
    const drawn = { ...sampler(['between=00:00-00:01', 'between=00:08-00:08']), distribution: late }
    for (const u of [0, 0.5, 0.99]) {
      const second = drawExactly(drawn, u, midnight, 599) - midnight
      expect(second).toBeGreaterThanOrEqual(480)
      expect(second).toBeLessThanOrEqual(539)
    }
    expect(drawExactly(drawn, 0, midnight, 599) - midnight).toBe(480)
    expect(drawExactly(drawn, 1 - 2 ** -53, midnight, 599) - midnight).toBe(539)
  })

  it('takes allowed seconds evenly when none has any probability', () => {
    const only = ['between=00:50-00:50', 'between=00:52-00:52']
    const far = sampler(only, { name: 'exponential', params: { lambda: 1000 } })
    expect(acceptance(far, midnight, 3600)).toBe(0)
    const drawn = (u: number) => drawExactly(far, u, midnight, 3600) - midnight
    expect(drawn(0)).toBe(3000)
    expect(drawn(0.25)).toBe(3030)
    expect(drawn(59.5 / 120)).toBe(3059)
    expect(drawn(0.5)).toBe(3120)
    expect(drawn(1 - 2 ** -53)).toBe(3179)
  })
})

describe('the probability of acceptance', () => {
  it('is all or nothing for a single second', () => {
    expect(acceptance(sampler(['hours=0']), midnight, 0)).toBe(1)
    expect(acceptance(sampler(['hours=1']), midnight, 0)).toBe(0)
  })

  it('is never more than one', () => {
    const law: Distribution = { quantile: (u) => u, cumulative: (x) => x * 1.000001 }
    expect(acceptance({ ...sampler(['hours=0']), distribution: law }, midnight, 60)).toBe(1)
  })
})

const two = (n: number) => String(n).padStart(2, '0')
const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0)
const span = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, i) => first + i)

/** Second by second: the probability of each allowed one. */
function massesOf(drawn: Sampler, start: number, width: number): Map<number, number> {
  const { distribution, constraints } = drawn
  const offsets: ZoneOffsets = drawn.zone
  const masses = new Map<number, number>()
  for (let second = start; second <= start + width; second++) {
    if (!constraints!.allows(second + offsets.offsetAt(second))) continue
    const place = (offset: number) => distribution.cumulative(offset / (width + 1))
    masses.set(second, place(second - start + 1) - place(second - start))
  }
  return masses
}
