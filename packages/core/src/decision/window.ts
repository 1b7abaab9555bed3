import type { WindowSpec } from '../definition/index.js'

/** Where a window lies around its nominal time, in whole milliseconds, worked out once a job. */
export interface WindowOffsets {
  readonly before: number
  readonly after: number
}

const atOnce: WindowOffsets = Object.freeze({ before: 0, after: 0 })

/**
 * Both ends are exact and then floored to the second. A nominal time is a whole number of
 * milliseconds, so a fraction of one can only push the start down: hence up here, down there.
 */
export function windowOffsets(window: WindowSpec): WindowOffsets {
  const { mode, duration } = window
  if (duration === 0) return atOnce
  if (mode === 'after') return { before: 0, after: Math.floor(duration) }
  if (mode === 'before') return { before: Math.ceil(duration), after: 0 }
  return { before: Math.ceil(duration / 2), after: Math.floor(duration / 2) }
}

/** Epoch seconds of the first second of the window. */
export const windowStartSecond = (offsets: WindowOffsets, nominal: number): number =>
  Math.floor((nominal - offsets.before) / 1000)

/** Epoch seconds of the last second of the window. */
export const windowEndSecond = (offsets: WindowOffsets, nominal: number): number =>
  Math.floor((nominal + offsets.after) / 1000)
