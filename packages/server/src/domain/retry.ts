/** Further attempts of a run that failed. */
export interface Retry {
  /** Attempts in all, the first one included. */
  readonly attempts: number
  readonly backoffMs: number
  readonly maxDelayMs: number
  /** Part of each delay that is drawn, from 0 to 1. */
  readonly jitter: number
}

export const defaultBackoffMs = 1000
export const defaultMaxDelayMs = 60_000
export const defaultJitter = 0

/** Retries of which only their number must be said. Neither delay contradicts the other. */
type RetryWish = Pick<Retry, 'attempts'> & {
  readonly [Field in Exclude<keyof Retry, 'attempts'>]?: Retry[Field] | undefined
}

export function defaultRetry(wish: RetryWish): Retry {
  const { attempts, jitter = defaultJitter } = wish
  const backoffMs =
    wish.backoffMs ?? Math.min(defaultBackoffMs, wish.maxDelayMs ?? defaultBackoffMs)
  const maxDelayMs = wish.maxDelayMs ?? Math.max(defaultMaxDelayMs, backoffMs)
  return { attempts, backoffMs, maxDelayMs, jitter }
}
