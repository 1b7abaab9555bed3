import { setTimeout as wait } from 'node:timers/promises'
import type { Clock } from '@kron/runtime'

export interface Pace {
  /** When it showed the real time; from then on it is ahead, as the API server never is. */
  readonly since: number
  readonly factor: number
}

/** A clock on which minutes pass in seconds, the same for all that share a pace. */
export function fastClock({ since, factor }: Pace): Clock {
  const now = (): number => since + (Date.now() - since) * factor
  return {
    now: () => new Date(Math.floor(now())),
    // Rounded up, so that what was waited for has come.
    sleep: (ms, signal) =>
      wait(Math.ceil(ms / factor), undefined, signal === undefined ? {} : { signal }),
  }
}

/** The real time at which such a clock shows an instant. */
export const realTime = ({ since, factor }: Pace, instant: number): number =>
  since + (instant - since) / factor
