import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Retry } from '../domain/index.js'
import { retryDelay } from './retry-delay.js'

const retry: Retry = { attempts: 10, backoffMs: 100, maxDelayMs: 5_000, jitter: 0 }

describe('the wait before another attempt', () => {
  it('doubles with each attempt that failed, up to its limit', () => {
    const delays = [1, 2, 3, 4, 5, 6, 7, 8].map((failed) => retryDelay(retry, failed, () => 0.5))
    expect(delays).toEqual([100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000])
  })

  it('is never longer than its limit, and never no number, after however many attempts', () => {
    for (const failed of [31, 32, 1_000, 100_000]) {
      expect(retryDelay(retry, failed, () => 0)).toBe(5_000)
      expect(retryDelay({ ...retry, backoffMs: 0 }, failed, () => 0)).toBe(0)
    }
    expect(retryDelay({ ...retry, backoffMs: 9_000 }, 1, () => 0)).toBe(5_000)
  })

  it('is shorter by the drawn part, and by no more than the jitter', () => {
    const jittered = { ...retry, jitter: 0.4 }
    expect(retryDelay(jittered, 2, () => 0)).toBe(200)
    expect(retryDelay(jittered, 2, () => 0.5)).toBe(160)
    expect(retryDelay({ ...retry, jitter: 1 }, 2, () => 0.75)).toBe(50)
    const draw = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })
    fc.assert(
      fc.property(
        draw,
        draw,
        fc.nat(200_000),
        fc.nat(200_000),
        fc.integer({ min: 1, max: 50 }),
        (jitter, drawn, backoffMs, maxDelayMs, failed) => {
          const options = { attempts: 50, backoffMs, maxDelayMs, jitter }
          const full = retryDelay({ ...options, jitter: 0 }, failed, () => drawn)
          const delay = retryDelay(options, failed, () => drawn)
          expect(Number.isInteger(delay)).toBe(true)
          expect(delay).toBeLessThanOrEqual(full)
          expect(delay).toBeGreaterThanOrEqual(Math.floor(full * (1 - jitter)))
        },
      ),
      { numRuns: 1_000, seed: 31 },
    )
  })
})
