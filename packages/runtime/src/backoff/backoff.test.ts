import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { backoffMs } from './backoff.js'

describe('backoff', () => {
  it('doubles with each failure up to its limit', () => {
    const delays = [1, 2, 3, 4, 5, 6, 7, 8].map((failures) =>
      backoffMs({ firstMs: 1000, maxMs: 60_000 }, failures),
    )
    expect(delays).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000])
  })

  it('begins at its limit when that is smaller than the first delay', () => {
    expect(backoffMs({ firstMs: 1000, maxMs: 10 }, 1)).toBe(10)
  })

  it('is nothing where the first delay is nothing', () => {
    expect(backoffMs({ firstMs: 0, maxMs: 1000 }, 5000)).toBe(0)
  })

  it('never shrinks, is a number and stays within its limits, however often it failed', () => {
    const limits = fc.record({
      firstMs: fc.integer({ min: 1, max: 3_600_000 }),
      maxMs: fc.integer({ min: 1, max: 3_600_000 }),
    })
    const failures = fc.integer({ min: 1, max: 2 ** 31 })
    fc.assert(
      fc.property(limits, failures, (backoff, count) => {
        const delay = backoffMs(backoff, count)
        const next = backoffMs(backoff, count + 1)
        expect(delay).toBeGreaterThanOrEqual(Math.min(backoff.firstMs, backoff.maxMs))
        expect(delay).toBeLessThanOrEqual(backoff.maxMs)
        expect(next).toBe(Math.min(2 * delay, backoff.maxMs))
      }),
      { numRuns: 500, seed: 18 },
    )
  })
})
