/** What the wall clock shows, and how much time has really passed since the trace began. */
export interface Moment {
  readonly wall: number
  /** Without the steps of the clock: lags are counted by this. */
  readonly elapsed: number
}

/** The moment of an event, and its place in the trace. */
export interface Position extends Moment {
  readonly index: number
}

export function earlier(a: Moment | null, b: Moment | null): Moment | null {
  if (a === null || b === null) return a ?? b
  return a.elapsed <= b.elapsed ? a : b
}

export function later(a: Moment, b: Moment | null): Moment {
  return b === null || a.elapsed >= b.elapsed ? a : b
}
