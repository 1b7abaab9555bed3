import type { OpenInitialization } from './initializations.js'
import type { Moment } from './moment.js'
import type { Occurrences } from './occurrences.js'
import type { BootDue } from './task-state.js'

const minuteMs = 60_000

/**
 * Whether the minute of an initialization matches. The scheduler looks at the clock at some instant
 * between the call and its end: S1 accepts any minute of that time, L1 demands a start only when
 * the minute of the call and that of the end both match.
 */
export function bootDueOf(
  occurrences: Occurrences,
  { shown, since }: OpenInitialization,
  now: Moment,
): BootDue {
  const allowed = shown.some(
    (span) => occurrences.minuteOf(span.from) !== null || occurrences.firstWithin([span]) !== null,
  )
  // On a clock that was set meanwhile the scheduler may have seen some other minute.
  const clockWasSet = shown.length > 1
  const matchesAtCall = occurrences.minuteOf(since.wall) !== null
  const mustAt = matchesAtCall && !clockWasSet ? occurrences.minuteOf(now.wall) : null
  const looked = shown.map(({ from, to }) => ({ from: from - minuteMs, to }))
  const latest = occurrences.latestUntil(now.wall)
  const isTheSame = !clockWasSet && latest === occurrences.latestUntil(since.wall)
  return { allowed, mustAt, looked, latestMatch: isTheSame ? latest : null }
}
