import { setTimeout as wait } from 'node:timers/promises'
import type { Clock } from '@kron/runtime'

/** A clock on which minutes pass in a fraction of a second, the same for all that share `since`. */
export function fastClock(since: number, factor: number): Clock {
  const now = (): number => since + (Date.now() - since) * factor
  return {
    now: () => new Date(Math.floor(now())),
    // Rounded up, so that what was waited for has come.
    sleep: (ms, signal) =>
      wait(Math.ceil(ms / factor), undefined, signal === undefined ? {} : { signal }),
  }
}
