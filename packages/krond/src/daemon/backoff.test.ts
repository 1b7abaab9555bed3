import { backoffMs } from '@kron/runtime'
import { expect, it } from 'vitest'
import { attemptBackoff } from './period-handler.js'

it('waits twice as long after each failure, up to a minute', () => {
  const waits = [1, 2, 3, 4, 5, 6, 7, 8, 1000].map((count) => backoffMs(attemptBackoff, count))
  expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000])
})
