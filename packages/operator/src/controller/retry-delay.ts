import { type Backoff, backoffMs } from '@kron/runtime'
import { ApiFailure } from '../kube/index.js'

const firstMs = 100
const defaultBackoff: Backoff = { firstMs, maxMs: 5000 }
const refusedBackoff: Backoff = { firstMs, maxMs: 30_000 }

/**
 * How long to wait after so many failures in a row: 0.1 s, 0.2 s, ..., 5 s, or 30 s where the
 * server refused and will most likely do so again; at least as long as it asked for.
 */
export function retryDelayMs(failures: number, error: unknown): number {
  const failure = error instanceof ApiFailure ? error : null
  const isRefused = failure?.status != null && failure.status < 500 && failure.status !== 429
  const delayMs = backoffMs(isRefused ? refusedBackoff : defaultBackoff, failures)
  return Math.max(delayMs, failure?.retryAfterMs ?? 0)
}
