import { type Cron, zone } from '@kron/core'

/** Turns the minutes of an expression into instants, all of them epoch milliseconds. */
export interface TimeZone {
  /** The first minute after this instant. */
  next(cron: Cron, after: number): number | null
  /** The latest minute that has begun by this instant. */
  previous(cron: Cron, atOrBefore: number): number | null
  /** Whether the wall-clock minute of this instant matches. */
  matches(cron: Cron, instant: number): boolean
}

/** Of an IANA name, by the database that is a part of the package. */
export function namedZone(name: string): TimeZone {
  const named = zone(name)
  return {
    next: (cron, after) => cron.next(after, named),
    previous: (cron, atOrBefore) => cron.previous(atOrBefore, named),
    matches: (cron, instant) => cron.matches(instant, named),
  }
}
