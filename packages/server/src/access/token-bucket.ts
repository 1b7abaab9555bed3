import { BoundedMap } from './bounded-map.js'

export interface Allowance {
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  /** Until one more request is allowed; 0 when one is. */
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

  constructor(mostNames: number) {
    this.#buckets = new BoundedMap(mostNames)
  }

  take(name: string, perMinute: number, now: number): Allowance {
    const tokens = this.#tokens(name, perMinute, now)
    const allowed = tokens >= 1
    const left = allowed ? tokens - 1 : tokens
    this.#buckets.set(name, { tokens: left, at: now })
    return allowance(allowed, left, perMinute)
  }

  /** What `take` would answer. */
  peek(name: string, perMinute: number, now: number): Allowance {
    const tokens = this.#tokens(name, perMinute, now)
    return allowance(tokens >= 1, tokens, perMinute)
  }

  #tokens(name: string, perMinute: number, now: number): number {
    const bucket = this.#buckets.get(name)
    if (bucket === undefined) return perMinute
    const filled = (Math.max(0, now - bucket.at) * perMinute) / 60_000
    return Math.min(perMinute, bucket.tokens + filled)
  }
}

function allowance(allowed: boolean, tokens: number, perMinute: number): Allowance {
  const msPerToken = perMinute === 0 ? 60_000 : 60_000 / perMinute
  return {
    allowed,
    limit: perMinute,
    remaining: Math.floor(tokens),
    retryAfterMs: tokens >= 1 ? 0 : (1 - tokens) * msPerToken,
    fullAfterMs: (perMinute - tokens) * msPerToken,
  }
}
