import { describe, expect, it } from 'vitest'
import { TokenBuckets } from './token-bucket.js'

function takeAll(buckets: TokenBuckets, name: string, perMinute: number, now: number): number {
  let taken = 0
  while (buckets.take(name, perMinute, now).allowed) taken++
  return taken
}

describe('a token bucket', () => {
  it('allows a burst of a whole minute, and then fills up evenly', () => {
    const buckets = new TokenBuckets(10)
    expect(takeAll(buckets, 'a', 60, 0)).toBe(60)
    expect(buckets.take('a', 60, 999).allowed).toBe(false)
    expect(buckets.take('a', 60, 1000).allowed).toBe(true)
    expect(buckets.take('a', 60, 1000).allowed).toBe(false)
    expect(takeAll(buckets, 'a', 60, 3_600_000)).toBe(60)
  })

  it('says how long to wait, and the wait is enough', () => {
    const buckets = new TokenBuckets(10)
    takeAll(buckets, 'a', 7, 0)
    const { allowed, remaining, retryAfterMs, fullAfterMs } = buckets.take('a', 7, 0)
    expect({ allowed, remaining }).toEqual({ allowed: false, remaining: 0 })
    expect(buckets.peek('a', 7, Math.ceil(retryAfterMs)).allowed).toBe(true)
    expect(buckets.peek('a', 7, Math.ceil(fullAfterMs)).remaining).toBe(7)
  })

  it('tells what the next one would be answered, and takes nothing for that', () => {
    const buckets = new TokenBuckets(10)
    const full = { allowed: true, limit: 2, remaining: 2, retryAfterMs: 0, fullAfterMs: 0 }
    expect(buckets.peek('a', 2, 0)).toEqual(full)
    expect(buckets.peek('a', 2, 0)).toEqual(full)
    buckets.take('a', 2, 0)
    expect(buckets.peek('a', 2, 0)).toMatchObject({ allowed: true, fullAfterMs: 30_000 })
    buckets.take('a', 2, 0)
    const empty = { allowed: false, remaining: 0, retryAfterMs: 30_000, fullAfterMs: 60_000 }
    expect(buckets.peek('a', 2, 0)).toMatchObject(empty)
    expect(buckets.peek('a', 2, 29_999).allowed).toBe(false)
  })

  it('is each name its own', () => {
    const buckets = new TokenBuckets(10)
    takeAll(buckets, 'a', 5, 0)
    expect(buckets.take('b', 5, 0).allowed).toBe(true)
  })

  it('takes more for a request that is worth more, but never more than there can be', () => {
    const buckets = new TokenBuckets(10)
    expect(buckets.take('a', 60, 0, 50)).toMatchObject({ allowed: true, remaining: 10 })
    expect(buckets.take('a', 60, 0, 50)).toMatchObject({ allowed: false, retryAfterMs: 40_000 })
    expect(buckets.take('a', 60, 40_000, 50).allowed).toBe(true)
    expect(buckets.take('b', 60, 0, 100)).toMatchObject({ allowed: true, remaining: 0 })
  })

  it('allows nothing at a rate of nothing', () => {
    const { allowed, retryAfterMs } = new TokenBuckets(10).take('a', 0, 0)
    expect({ allowed, retryAfterMs }).toEqual({ allowed: false, retryAfterMs: 60_000 })
  })

  it('gives no tokens for a clock that was set back', () => {
    const buckets = new TokenBuckets(10)
    takeAll(buckets, 'a', 60, 10_000)
    expect(buckets.take('a', 60, 0).allowed).toBe(false)
  })

  it('forgets the oldest of too many names', () => {
    const buckets = new TokenBuckets(2)
    for (const name of ['a', 'b', 'c']) takeAll(buckets, name, 3, 0)
    expect(buckets.peek('a', 3, 0).remaining).toBe(3)
    expect(buckets.peek('c', 3, 0).remaining).toBe(0)
  })
})
