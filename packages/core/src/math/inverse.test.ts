import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exp, expm1, log, log1p, normalCdf, normalQuantile, pow } from './index.js'

const runs = { numRuns: 5000 }
const within = (min: number, max: number) => fc.double({ min, max, noNaN: true })

/** The relative distance in units of 2^-52. */
const apart = (a: number, b: number) => Math.abs(a - b) / Math.abs(b) / Number.EPSILON

describe('a function and its inverse', () => {
  it('log undoes exp', () => {
    fc.assert(
      fc.property(within(-700, 700), (x) => {
        fc.pre(Math.abs(x) > 1e-3)
        expect(apart(log(exp(x)), x)).toBeLessThanOrEqual(1 + 1 / Math.abs(x))
      }),
      runs,
    )
  })

  it('log1p undoes expm1, also around zero', () => {
    fc.assert(
      fc.property(within(-1, 1), (x) => {
        fc.pre(x !== 0)
        expect(apart(log1p(expm1(x)), x)).toBeLessThanOrEqual(3)
      }),
      runs,
    )
  })

  it('a root undoes a power', () => {
    fc.assert(
      fc.property(within(1e-6, 1), within(1, 10), (x, y) => {
        expect(apart(pow(pow(x, y), 1 / y), x)).toBeLessThanOrEqual(2 + Math.abs(log(x)))
      }),
      runs,
    )
  })

  it('normalQuantile undoes normalCdf below zero', () => {
    fc.assert(
      fc.property(within(-37, 0), (z) => {
        // An error in p of 2^-53 relative moves z by that times the ratio of the probability to the
        // density, which is largest at zero.
        const tolerance = 2e-15 * Math.max(1, Math.abs(z))
        expect(Math.abs(normalQuantile(normalCdf(z)) - z)).toBeLessThanOrEqual(tolerance)
      }),
      runs,
    )
  })

  it('normalCdf undoes normalQuantile', () => {
    fc.assert(
      fc.property(within(1e-300, 1 - 2 ** -53), (p) => {
        const z = normalQuantile(p)
        const tolerance = 3e-15 * Math.max(1, z * z) * p
        expect(Math.abs(normalCdf(z) - p)).toBeLessThanOrEqual(tolerance)
      }),
      runs,
    )
  })
})

describe('the symmetry of the normal distribution', () => {
  it('is exact for quantiles wherever 1 - p is', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 52 }), (n) => {
        const p = n / 2 ** 53
        expect(normalQuantile(p) + normalQuantile(1 - p)).toBe(0)
      }),
      runs,
    )
  })

  it('holds for probabilities to the last place', () => {
    fc.assert(
      fc.property(within(0, 40), (z) => {
        expect(Math.abs(1 - normalCdf(-z) - normalCdf(z))).toBeLessThanOrEqual(2 ** -53)
      }),
      runs,
    )
  })
})
