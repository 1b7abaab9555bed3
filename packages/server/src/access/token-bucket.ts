import { BoundedMap } from './bounded-map.js'

export interface Allowance {
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  /** Until one more request like this is allowed; 0 when one is. */
  readonly retryAfterMs: number
  /** Until the bucket is full again. */
  readonly fullAfterMs: number
}

interface Bucket {
  readonly tokens: number
  readonly at: number
}

/**
 * A token bucket for each name: it holds what is allowed in a minute and fills up evenly, so that
 * a burst is fine after a quiet minute and the rate holds over any longer time.
 */
export class TokenBuckets {
  readonly #buckets: BoundedMap<string, Bucket>

  constructor(maxNames: number) {
    this.#buckets = new BoundedMap(maxNames)
  }

  /** `cost`: as many requests as this one is worth; never more than the bucket can hold. */
  take(name: string, perMinute: number, now: number, cost = 1): Allowance {
    const tokens = this.#tokens(name, perMinute, now)
    const needed = Math.max(1, Math.min(cost, perMinute))
    const allowed = tokens >= needed
    const left = allowed ? tokens - needed : tokens
    this.#buckets.set(name, { tokens: left, at: now })
    return allowance(allowed, left, perMinute, needed)
  }

  /** What `take` would answer. */
  peek(name: string, perMinute: number, now: number): Allowance {
    const tokens = this.#tokens(name, perMinute, now)
    return allowance(tokens >= 1, tokens, perMinute, 1)
  }

  #tokens(name: string, perMinute: number, now: number): number {
    const bucket = this.#buckets.get(name)
    if (bucket === undefined) return perMinute
    const filled = (Math.max(0, now - bucket.at) * perMinute) / 60_000
    return Math.min(perMinute, bucket.tokens + filled)
  }
}

function allowance(allowed: boolean, tokens: number, perMinute: number, needed: number): Allowance {
  const msPerToken = perMinute === 0 ? 60_000 : 60_000 / perMinute
  return {
    allowed,
    limit: perMinute,
    remaining: Math.floor(tokens),
    retryAfterMs: Math.max(0, needed - tokens) * msPerToken,
    fullAfterMs: (perMinute - tokens) * msPerToken,
  }
}
