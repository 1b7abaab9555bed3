import type { Moment } from './moment.js'

/**
 * The wall clock going from just after `from` up to and including `to`: at its own pace, or all at
 * once when somebody set it.
 */
export interface Passage {
  readonly from: number
  readonly to: number
  readonly end: Moment
  /** When the clock showed, or went past, an instant of the passage. */
  momentOf(wall: number): Moment
}

export function running(from: number, end: Moment): Passage {
  const elapsedMinusWall = end.elapsed - end.wall
  const momentOf = (wall: number): Moment => ({ wall, elapsed: wall + elapsedMinusWall })
  return { from, to: end.wall, end, momentOf }
}

export function jumping(from: number, to: number, end: Moment): Passage {
  return { from, to, end, momentOf: () => end }
}
