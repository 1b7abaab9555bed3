import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exp, expm1, log, log1p, normalCdf, normalQuantile, pow } from './index.js'

const runs = { numRuns: 5000 }
const float = new Float64Array(1)
const bits = new BigInt64Array(float.buffer)

/** The next double above. */
function above(x: number): number {
  if (x === 0) return 5e-324
  float[0] = x
  bits[0] = bits[0]! + (x > 0 ? 1n : -1n)
  return float[0]
}

const within = (min: number, max: number) => fc.double({ min, max, noNaN: true })

describe('no step down from one double to the next', () => {
  it.each([
    ['exp', exp, -746, 710],
    ['exp around zero', exp, -1e-3, 1e-3],
    ['log', log, 5e-324, 1.7e308],
    ['log around one', log, 0.97, 1.03],
    ['expm1', expm1, -50, 710],
    ['expm1 around zero', expm1, -0.02, 0.02],
    ['log1p', log1p, -0.9999999, 1e300],
    ['log1p around zero', log1p, -0.02, 0.02],
  ] as const)('in %s', (_, f, min, max) => {
    fc.assert(
      fc.property(within(min, max), (x) => {
        expect(f(above(x))).toBeGreaterThanOrEqual(f(x))
      }),
      runs,
    )
  })

  it('in pow, neither along the base nor along the exponent', () => {
    fc.assert(
      fc.property(within(1e-9, 1), within(0.01, 40), (x, y) => {
        expect(pow(above(x), y)).toBeGreaterThanOrEqual(pow(x, y))
        expect(pow(x, above(y))).toBeLessThanOrEqual(pow(x, y))
      }),
      runs,
    )
  })

  it.each([
    ['the steps of the table of powers', exp, Math.LN2 / 128, Math.LN2 / 64, 200],
    ['the intervals of the table of logarithms below one', log, 0.6875, 1 / 256, 80],
    ['the intervals of the table of logarithms above one', log, 1, 1 / 128, 48],
  ] as const)('across %s', (_, f, first, gap, count) => {
    for (let i = 0; i < count; i++) {
      let x = first + i * gap - 8 * 2 ** -53
      for (let step = 0; step < 16; step++) {
        const next = above(x)
        expect(f(next)).toBeGreaterThanOrEqual(f(x))
        x = next
      }
    }
  })
})

describe('no step down over a distance of 1e-13', () => {
  it('in normalCdf', () => {
    fc.assert(
      fc.property(within(-38, 9), (z) => {
        const further = z + 1e-13 * Math.max(1, Math.abs(z))
        expect(normalCdf(further)).toBeGreaterThanOrEqual(normalCdf(z))
      }),
      runs,
    )
  })

  it('in normalQuantile', () => {
    fc.assert(
      fc.property(within(1e-300, 0.9999), (p) => {
        expect(normalQuantile(p * (1 + 1e-12))).toBeGreaterThan(normalQuantile(p))
      }),
      runs,
    )
  })

  it('where the central polynomials meet the tails', () => {
    for (const z of [-1, 1]) {
      expect(normalCdf(z + 1e-14)).toBeGreaterThan(normalCdf(z))
      expect(normalCdf(z)).toBeGreaterThan(normalCdf(z - 1e-14))
    }
    for (const p of [0.1625, 0.8375]) {
      expect(normalQuantile(p + 1e-14)).toBeGreaterThan(normalQuantile(p))
      expect(normalQuantile(p)).toBeGreaterThan(normalQuantile(p - 1e-14))
    }
  })
})
