import { backoffMs } from '@kron/runtime'
import { expect, it } from 'vitest'
import { storageBackoff } from './record-writer.js'

it('a storage that fails is tried again after longer and longer, a minute at most', () => {
  const seconds = Array.from({ length: 9 }, (_, at) => backoffMs(storageBackoff, at + 1) / 1000)
  expect(seconds).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60])
})
