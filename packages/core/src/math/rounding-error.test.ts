import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { orderedSumError, productError, sumError, upperHalf } from './rounding-error.js'

const runs = { numRuns: 2000 }
const whole = fc.maxSafeInteger()

describe('what rounding lost', () => {
  it('completes a product exactly', () => {
    fc.assert(
      fc.property(whole, whole, (a, b) => {
        const product = a * b
        const error = productError(a, b, product)
        expect(BigInt(product) + BigInt(error)).toBe(BigInt(a) * BigInt(b))
      }),
      runs,
    )
  })

  it('completes a sum of any order exactly', () => {
    fc.assert(
      fc.property(whole, whole, fc.integer({ min: 0, max: 60 }), (a, b, shift) => {
        const large = a * 2 ** shift
        const exact = BigInt(a) * 2n ** BigInt(shift) + BigInt(b)
        const sum = large + b
        expect(BigInt(sum) + BigInt(sumError(large, b, sum))).toBe(exact)
        expect(BigInt(sum) + BigInt(sumError(b, large, sum))).toBe(exact)
        if (Math.abs(large) < Math.abs(b)) return
        expect(BigInt(sum) + BigInt(orderedSumError(large, b, sum))).toBe(exact)
      }),
      runs,
    )
  })

  it('is nothing in the product of two upper halves', () => {
    fc.assert(
      fc.property(whole, whole, (a, b) => {
        const product = upperHalf(a) * upperHalf(b)
        expect(BigInt(product)).toBe(BigInt(upperHalf(a)) * BigInt(upperHalf(b)))
        expect(Math.abs(a - upperHalf(a))).toBeLessThanOrEqual(Math.abs(a) * 2 ** -26)
      }),
      runs,
    )
  })
})
