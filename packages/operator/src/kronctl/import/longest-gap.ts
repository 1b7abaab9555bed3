import type { Job } from '@kron/core'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** A year and a clock change in each direction, and then as long as it costs little. */
const minMs = 400 * day
const maxMs = 9 * 366 * day
const maxPeriods = 20_000

/** The longest time from one period to the next, as far as it is looked ahead. */
export function longestGap(job: Job, from: number): number | null {
  let longest: number | null = null
  let before = job.nextPeriod(from)
  for (let count = 0; before !== null; count++) {
    const next = job.nextPeriod(before)
    if (next === null) break
    longest = Math.max(longest ?? 0, next - before)
    before = next
    const seen = before - from
    if (seen > maxMs || (seen > minMs && count > maxPeriods)) break
  }
  return longest
}

/** A little more, in units that people read at a glance. */
export function roundedUp(ms: number): number {
  const unit = ms < hour ? minute : ms < 14 * day ? hour : day
  return Math.ceil(ms / unit) * unit
}
