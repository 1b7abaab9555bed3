import type { Backoff } from '@kron/runtime'

/** Between attempts at a period that could not be decided or started. */
export const attemptBackoff: Backoff = { firstMs: 1000, maxMs: 60_000 }
