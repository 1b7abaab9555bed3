/** Seconds east of UTC that a clock shows at an instant, in epoch seconds. */
export type OffsetAt = (seconds: number) => number

/** From `at` on, in epoch seconds, the clock is `offset` seconds ahead of UTC. */
export interface ClockChange {
  readonly at: number
  readonly offset: number
}

/** No clock has changed twice within a day, in all of the time zone database. */
const step = 86_400

/**
 * When a clock changed after `from`, up to `to`. A clock tells its offset at an instant and nothing
 * of its changes, so it is asked day by day, and where two days differ the second is searched for
 * by halves.
 */
export function clockChanges(offsetAt: OffsetAt, from: number, to: number): ClockChange[] {
  const changes: ClockChange[] = []
  let offset = offsetAt(from)
  for (let known = from; known < to; ) {
    const asked = Math.min(known + step, to)
    const found = offsetAt(asked)
    if (found !== offset) changes.push({ at: changeWithin(offsetAt, known, asked), offset: found })
    offset = found
    known = asked
  }
  return changes
}

/** The first second with another offset than `before` has; `after` has one. */
function changeWithin(offsetAt: OffsetAt, before: number, after: number): number {
  const offset = offsetAt(before)
  let [last, first] = [before, after]
  while (first - last > 1) {
    const middle = Math.floor((last + first) / 2)
    if (offsetAt(middle) === offset) last = middle
    else first = middle
  }
  return first
}

/** Of this process: what `Date` shows, whatever TZ is and whatever Node makes of it. */
export function offsetOfProcess(seconds: number): number {
  const date = new Date(seconds * 1000)
  // By the second, which getTimezoneOffset is not; and not by Date.UTC, which has its own idea of
  // the first hundred years.
  const shown = new Date(0)
  shown.setUTCFullYear(date.getFullYear(), date.getMonth(), date.getDate())
  shown.setUTCHours(date.getHours(), date.getMinutes(), date.getSeconds())
  return shown.getTime() / 1000 - seconds
}
