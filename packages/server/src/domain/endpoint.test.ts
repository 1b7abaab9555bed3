import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { retryDelay } from '../worker/execution.js'
import { changedDraft, defaultExecutionTimeMs } from './endpoint.js'
import { defaultDraft, maxExecutionTimeLimitMs, type Retry } from './index.js'

const retry: Retry = { attempts: 4, backoffMs: 1_000, maxDelayMs: 3_000, jitter: 0.5 }

describe('the usual time of an execution', () => {
  it('is a minute, or a timeout and half a minute', () => {
    expect(defaultExecutionTimeMs({ timeoutMs: 5_000, retry: null })).toBe(60_000)
    expect(defaultExecutionTimeMs({ timeoutMs: 100_000, retry: null })).toBe(130_000)
  })

  it('covers all attempts and the delays between them, within the limit of the field', () => {
    const delays = 1_000 + 2_000 + 3_000
    const all = defaultExecutionTimeMs({ timeoutMs: 20_000, retry })
    expect(all).toBe(4 * 20_000 + delays + 30_000)
    const slow = { attempts: 20, backoffMs: 3_600_000, maxDelayMs: 3_600_000, jitter: 0 }
    const most = defaultExecutionTimeMs({ timeoutMs: 900_000, retry: slow })
    expect(most).toBe(maxExecutionTimeLimitMs)
  })

  it('is never less than what a worker may take with the retries', () => {
    const ms = fc.integer({ min: 0, max: 600_000 })
    const attempts = fc.integer({ min: 1, max: 20 })
    const jitter = fc.double({ min: 0, max: 1, noNaN: true })
    const retries = fc.record({ attempts, backoffMs: ms, maxDelayMs: ms, jitter })
    const drawn = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
    fc.assert(
      fc.property(retries, ms, drawn, (retry, timeoutMs, random) => {
        let needed = retry.attempts * timeoutMs
        for (let failed = 1; failed < retry.attempts; failed++) {
          needed += retryDelay(retry, failed, () => random)
        }
        const usual = defaultExecutionTimeMs({ timeoutMs, retry })
        expect(usual).toBeGreaterThanOrEqual(Math.min(needed, maxExecutionTimeLimitMs))
      }),
      { numRuns: 300, seed: 7077 },
    )
  })

  it('follows timeout and retries until it is set, and again when that is cleared', () => {
    const made = changedDraft(
      { ...defaultDraft, name: 'x', url: 'y' },
      { retry, timeoutMs: 20_000 },
    )
    expect(made.maxExecutionTimeMs).toBe(116_000)
    expect(changedDraft(made, { retry: null }).maxExecutionTimeMs).toBe(60_000)
    const set = changedDraft(made, { maxExecutionTimeMs: 90_000 })
    expect(changedDraft(set, { retry: null }).maxExecutionTimeMs).toBe(90_000)
    expect(changedDraft(set, { maxExecutionTimeMs: null }).maxExecutionTimeMs).toBe(116_000)
  })
})
