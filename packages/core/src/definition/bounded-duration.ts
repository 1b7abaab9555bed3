import { durationOf, formatDuration } from '../duration/index.js'
import { outOfRange } from './flaw.js'

/** A duration of at most `most` milliseconds; none is zero. */
export function boundedDuration(value: unknown, field: string, most: number): number {
  const duration = value === undefined ? 0 : durationOf(value, field)
  if (duration <= most) return duration
  throw outOfRange('KRON_DURATION_TOO_LONG', field, value, `at most ${formatDuration(most)}`)
}
