import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exp, expm1, log, log1p, normalCdf, normalQuantile, pow } from './index.js'

const { NaN: nan, POSITIVE_INFINITY: infinity, NEGATIVE_INFINITY: minusInfinity } = Number
const runs = { numRuns: 1000 }
const positive = fc.double({ min: 5e-324, max: Number.MAX_VALUE, noNaN: true })

function check(f: (x: number) => number, cases: readonly (readonly [number, number])[]): void {
  for (const [x, value] of cases) expect([x, f(x)]).toEqual([x, value])
}

describe('the ends of the domain', () => {
  it('exp overflows to infinity and underflows through the subnormal numbers to zero', () => {
    check(exp, [
      [0, 1],
      [-0, 1],
      [infinity, infinity],
      [minusInfinity, 0],
      [nan, nan],
      [709.7827128933841, infinity],
      [710, infinity],
      [1e300, infinity],
      [-745.1332191019411, 5e-324],
      [-745.1332191019412, 0],
      [-1e300, 0],
    ])
  })

  it('log is infinite at zero and undefined below', () => {
    check(log, [
      [1, 0],
      [0, minusInfinity],
      [-0, minusInfinity],
      [-5e-324, nan],
      [-1, nan],
      [minusInfinity, nan],
      [infinity, infinity],
      [nan, nan],
    ])
  })

  it('expm1 keeps the sign of zero and ends at -1', () => {
    check(expm1, [
      [0, 0],
      [-0, -0],
      [5e-324, 5e-324],
      [-1000, -1],
      [minusInfinity, -1],
      [infinity, infinity],
      [710, infinity],
      [nan, nan],
    ])
  })

  it('log1p keeps the sign of zero and is infinite at -1', () => {
    check(log1p, [
      [0, 0],
      [-0, -0],
      [-5e-324, -5e-324],
      [-1, minusInfinity],
      [-1.0000000000000002, nan],
      [minusInfinity, nan],
      [infinity, infinity],
      [nan, nan],
    ])
  })

  it('normalCdf is a half at zero and reaches 0 and 1', () => {
    check(normalCdf, [
      [0, 0.5],
      [-0, 0.5],
      [9, 1],
      [infinity, 1],
      [-39, 0],
      [minusInfinity, 0],
      [nan, nan],
    ])
  })

  it('normalQuantile is zero at a half, infinite at 0 and 1, undefined outside', () => {
    check(normalQuantile, [
      [0.5, 0],
      [0, minusInfinity],
      [1, infinity],
      [-5e-324, nan],
      [1.0000000000000002, nan],
      [infinity, nan],
      [nan, nan],
    ])
  })
})

describe('pow', () => {
  it.each([
    [0, 3, 0],
    [0, 0.5, 0],
    [-0, 3, 0],
    [0, -1, infinity],
    [0, -0.5, infinity],
    [0, 0, 1],
    [nan, 0, 1],
    [infinity, 0, 1],
    [1, nan, 1],
    [1, infinity, 1],
    [infinity, 0.1, infinity],
    [infinity, -0.1, 0],
    [0.5, infinity, 0],
    [0.5, minusInfinity, infinity],
    [2, infinity, infinity],
    [2, minusInfinity, 0],
    [0, infinity, 0],
    [0, minusInfinity, infinity],
    [nan, 1, nan],
    [0.5, nan, nan],
    [-1, 2, nan],
    [-1, 0.5, nan],
    [minusInfinity, 2, nan],
    [2, 1024, infinity],
    [2, 1023, 8.98846567431158e307],
    [2, -1074, 5e-324],
    [2, -1075, 0],
    [2, -1076, 0],
    [0.9999999999999999, 1e300, 0],
    [1.0000000000000002, 1e300, infinity],
    [0.9999999999999999, -1e300, infinity],
    [Number.MAX_VALUE, 5e-324, 1],
    [5e-324, -5e-324, 1],
    [1e300, 1e-18, 1.0000000000000007],
    [10, 22, 1e22],
    [3, 33, 5559060566555523],
    [4, 1.5, 8],
    [0.25, 2.5, 0.03125],
  ])('of %d and %d is %d', (x, y, value) => {
    expect(pow(x, y)).toBe(value)
  })

  it('has exact results for the exponents 0, 1, 2, 1/2 and -1', () => {
    fc.assert(
      fc.property(positive, (x) => {
        expect(pow(x, 0)).toBe(1)
        expect(pow(x, 1)).toBe(x)
        expect(pow(x, 2)).toBe(x * x)
        expect(pow(x, 0.5)).toBe(Math.sqrt(x))
        expect(pow(x, -1)).toBe(1 / x)
      }),
      runs,
    )
  })

  it('is exact where the power of a whole number is a double', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 200_000 }), fc.integer({ min: 3, max: 52 }), (x, y) => {
        const power = BigInt(x) ** BigInt(y)
        fc.pre(power <= BigInt(Number.MAX_SAFE_INTEGER))
        expect(pow(x, y)).toBe(Number(power))
      }),
      runs,
    )
  })
})
