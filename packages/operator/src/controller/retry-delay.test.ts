import { describe, expect, it } from 'vitest'
import { ApiFailure, type ApiFailureDetails } from '../kube/index.js'
import { retryDelayMs } from '../record/attempt.js'

const failed = (details: ApiFailureDetails): ApiFailure => new ApiFailure('no', details)
const delays = (error: unknown) => [1, 2, 6, 7, 9, 10, 100].map((n) => retryDelayMs(n, error))

describe('the pause before the next try', () => {
  const passing = [100, 200, 3200, 5000, 5000, 5000, 5000]
  const refused = [100, 200, 3200, 6400, 25_600, 30_000, 30_000]

  it.each([
    ['of what is no answer', new Error('no'), passing],
    ['of an answer that was lost', failed({ status: null }), passing],
    ['of a server that can not', failed({ status: 500 }), passing],
    ['of one that has too much to do', failed({ status: 429 }), passing],
    ['of a refusal', failed({ status: 403 }), refused],
    ['of the last refusal there is', failed({ status: 499 }), refused],
  ])('doubles up to the longest: %s', (_, error, expected) => {
    expect(delays(error)).toEqual(expected)
  })

  it('is at least what the server asks for', () => {
    const asked = failed({ status: 429, retryAfterMs: 1000 })
    expect(delays(asked)).toEqual([1000, 1000, 3200, 5000, 5000, 5000, 5000])
  })
})
