import { type Backoff, backoffMs } from '@kron/runtime'

const patienceMs = 2_000
const pauses: Backoff = { firstMs: 1, maxMs: 50 }

/**
 * Does something with a SQLite file as soon as no other process is in the way. SQLite itself would
 * wait inside of its call, and with it everything else in this process; so its own wait is turned
 * off, and the pauses between attempts are a timer's. The first attempt is made before this
 * returns. Patience ends: who locks a file for long is a failure of the storage.
 */
export async function whenFree<T>(attempt: () => T): Promise<T> {
  const giveUpAt = performance.now() + patienceMs
  for (let attempts = 1; ; attempts++) {
    try {
      return attempt()
    } catch (error) {
      if (!isBusy(error) || performance.now() >= giveUpAt) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, backoffMs(pauses, attempts)))
  }
}

/** Whether this is SQLite's word for a lock that somebody else holds. */
export function isBusy(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && code.startsWith('SQLITE_BUSY')
}
