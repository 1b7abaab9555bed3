import { Duration } from './duration.js'

interface LuxonDuration {
  toMillis(): unknown
}
interface TemporalDuration {
  total(unit: 'milliseconds'): unknown
}

/** What may stand as a retry delay: ours, Luxon's, Temporal's. */
export type RetryDelay = Duration | { toMillis(): number } | { total(unit: 'milliseconds'): number }

/** Milliseconds of a duration of any of the three kinds; null when it is none of them. */
export function retryDelayMs(value: unknown): number | null {
  if (value instanceof Duration) return value.ms
  if (typeof value !== 'object' || value === null) return null
  const ms = foreignMs(value)
  return typeof ms === 'number' ? ms : null
}

/** To ask foreign code may throw, such as for months, which have no length of their own. */
function foreignMs(value: object): unknown {
  try {
    if (typeof (value as LuxonDuration).toMillis === 'function') {
      return (value as LuxonDuration).toMillis()
    }
    if (typeof (value as TemporalDuration).total === 'function') {
      return (value as TemporalDuration).total('milliseconds')
    }
  } catch {
    return undefined
  }
  return undefined
}
