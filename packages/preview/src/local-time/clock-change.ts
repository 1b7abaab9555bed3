import { type Cron, utc, type Zone } from '@kron/core'
import { wallDate, wallMinute } from './local-time.js'

/** A change of a zone's offset: the wall clock jumps from one wall time to another. */
export interface ClockChange {
  readonly at: number
  /** What the wall clock would have shown without the change. */
  readonly wallBefore: number
  readonly wallAfter: number
}

/** The changes of a zone after `from` and before `until`, at most `most`. */
export function clockChanges(
  zone: Zone,
  from: number,
  until: number,
  most = Number.POSITIVE_INFINITY,
): ClockChange[] {
  const changes: ClockChange[] = []
  let seconds = Math.floor(from / 1000)
  while (changes.length < most) {
    const next = zone.nextTransition(seconds)
    if (!(next * 1000 < until)) break
    const wallBefore = (next + zone.offsetAt(next - 1)) * 1000
    const wallAfter = (next + zone.offsetAt(next)) * 1000
    if (wallBefore !== wallAfter) changes.push({ at: next * 1000, wallBefore, wallAfter })
    seconds = next
  }
  return changes
}

/** `02:00 → 03:00`. */
export function changeText({ wallBefore, wallAfter }: ClockChange): string {
  const sameDay = wallDate(wallBefore) === wallDate(wallAfter)
  const after = sameDay ? wallMinute(wallAfter) : `${wallDate(wallAfter)} ${wallMinute(wallAfter)}`
  return `${wallMinute(wallBefore)} → ${after}`
}

/** What a clock change does to a schedule: wall times that don't happen, or happen twice. */
export interface ClockEffect {
  readonly kind: 'skipped' | 'repeated'
  readonly change: ClockChange
  /** The first and last wall time of the schedule that it concerns. */
  readonly first: number
  readonly last: number
}

/**
 * null when the schedule has nothing in those hours, and when it also runs just before and just
 * after them: a job of every quarter of an hour has no run to lose.
 */
export function effectOn(cron: Cron, change: ClockChange): ClockEffect | null {
  const { wallBefore, wallAfter } = change
  const from = Math.min(wallBefore, wallAfter)
  const until = Math.max(wallBefore, wallAfter)
  const first = matchIn(cron, from, until)
  if (first === null) return null
  const length = until - from
  const steady =
    matchIn(cron, from - length, from) !== null && matchIn(cron, until, until + length) !== null
  if (steady) return null
  const last = cron.previous(until - 1, utc) ?? first
  return { kind: wallAfter > wallBefore ? 'skipped' : 'repeated', change, first, last }
}

/** The first wall time of the schedule from `from` until before `until`. */
function matchIn(cron: Cron, from: number, until: number): number | null {
  const found = cron.next(from - 1, utc)
  return found !== null && found < until ? found : null
}
