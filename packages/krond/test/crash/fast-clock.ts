import { setTimeout as wait } from 'node:timers/promises'
import type { Clock } from '@kron/runtime'

/**
 * A clock on which minutes pass in a fraction of a second, the same for all that share `since`. It
 * stands still within one step of the program: a busy machine may take a few milliseconds from it
 * there, which would be seconds between a decision and its line in the log.
 */
export function fastClock(since: number, factor: number): Clock {
  let held: number | null = null
  const now = (): number => {
    if (held !== null) return held
    queueMicrotask(() => {
      held = null
    })
    held = Math.floor(since + (Date.now() - since) * factor)
    return held
  }
  return {
    now: () => new Date(now()),
    // Rounded up, so that what was waited for has come.
    sleep: (ms, signal) =>
      wait(Math.ceil(ms / factor), undefined, signal === undefined ? {} : { signal }),
  }
}
