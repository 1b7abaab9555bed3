import type { Retry } from './endpoint.js'

export const usualBackoffMs = 1000
export const usualMaxDelayMs = 60_000
export const usualJitter = 0

/** Retries of which only their number must be said. Neither delay contradicts the other. */
export type RetryWish = Pick<Retry, 'attempts'> & {
  readonly [Field in Exclude<keyof Retry, 'attempts'>]?: Retry[Field] | undefined
}

export function usualRetry(wish: RetryWish): Retry {
  const { attempts, jitter = usualJitter } = wish
  const backoffMs = wish.backoffMs ?? Math.min(usualBackoffMs, wish.maxDelayMs ?? usualBackoffMs)
  const maxDelayMs = wish.maxDelayMs ?? Math.max(usualMaxDelayMs, backoffMs)
  return { attempts, backoffMs, maxDelayMs, jitter }
}
