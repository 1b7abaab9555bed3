import { backoffMs } from '@kron/runtime'
import type { Retry } from '../domain/index.js'

/**
 * The wait before an attempt: doubled each time up to its limit, and shorter by a drawn part, so
 * that what failed together does not come back together.
 */
export function retryDelay(
  { backoffMs: firstMs, maxDelayMs: maxMs, jitter }: Retry,
  failedAttempts: number,
  random: () => number,
): number {
  const full = backoffMs({ firstMs, maxMs }, failedAttempts)
  return Math.round(full * (1 - jitter * random()))
}
