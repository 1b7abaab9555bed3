import type { Clock } from '@kron/runtime'

/** What the work answers, or `late` when it takes longer than `ms`. Leaves no sleeper behind. */
export async function within<T>(work: Promise<T>, ms: number, clock: Clock): Promise<T | 'late'> {
  const limit = new AbortController()
  const late = clock.sleep(ms, limit.signal).then(
    () => 'late' as const,
    () => 'late' as const,
  )
  try {
    return await Promise.race([work, late])
  } finally {
    // A reason of our own, since the default one is an error with a stack, created for each call.
    limit.abort('in time')
  }
}
