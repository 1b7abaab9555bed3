/** A cursor for peers that walk from one time to the next faster than they can be asked again. */
export interface Walk {
  from(afterMs: number): void
  next(): number
}

/** One expression in one zone. `next` is strictly after, and NaN when the peer finds nothing. */
export interface Schedule {
  next(afterMs: number): number
  readonly walk?: Walk
}

/**
 * `any`: takes the name of a zone. `process`: works in the zone of the process and no other.
 * `none`: has no public way to ask for the time after a given instant.
 */
export type ZoneSupport = 'any' | 'process' | 'none'

export interface Peer {
  readonly name: string
  readonly version: string
  readonly zoneSupport: ZoneSupport
  /** How it is called, where that is not obvious. */
  readonly note?: string
  /** All that is needed before the first `next`; absent when there is no public way. */
  parse?(expression: string): unknown
  schedule?(expression: string, zone: string): Schedule
}
