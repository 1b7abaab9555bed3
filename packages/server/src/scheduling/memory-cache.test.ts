import { describe, expect, it } from 'vitest'
import { newMemory } from '../learner/index.js'
import { MemoryCache } from './memory-cache.js'

const endpointId = 'ep_1'
const memory = newMemory(1000, 0)

describe('a kept memory', () => {
  it('is used for the run of the next claim, once', () => {
    const cache = new MemoryCache()
    cache.keep({ endpointId, fence: 4, memory })
    expect(cache.take(endpointId, 5)).toBe(memory)
    expect(cache.take(endpointId, 5)).toBeNull()
  })

  it.each([
    ['another worker may have recorded one in between', 6],
    ['it is the same run again', 4],
    ['it is an older run', 3],
  ])('is not used when %s, and forgotten', (_, fence) => {
    const cache = new MemoryCache()
    cache.keep({ endpointId, fence: 4, memory })
    expect(cache.take(endpointId, fence)).toBeNull()
    expect(cache.take(endpointId, 5)).toBeNull()
  })

  it('is that of its own endpoint', () => {
    const cache = new MemoryCache()
    cache.keep({ endpointId, fence: 4, memory })
    expect(cache.take('ep_2', 5)).toBeNull()
  })
})
