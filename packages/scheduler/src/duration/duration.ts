import { ConfigurationError, parseDuration, quote } from '@kron/core'

const msPerSecond = 1000
const msPerMinute = 60 * msPerSecond
const msPerHour = 60 * msPerMinute

/** A length of time. It may be negative, as lengths of time may; a retry delay may not. */
export class Duration {
  readonly ms: number

  private constructor(ms: number) {
    this.ms = ms
    Object.freeze(this)
  }

  static ms(count: number): Duration {
    return new Duration(checked(count, 'milliseconds'))
  }

  static seconds(count: number): Duration {
    return new Duration(checked(count, 'seconds') * msPerSecond)
  }

  static minutes(count: number): Duration {
    return new Duration(checked(count, 'minutes') * msPerMinute)
  }

  static hours(count: number): Duration {
    return new Duration(checked(count, 'hours') * msPerHour)
  }

  /** `90s`, `5m`, `1h30m`, `-2s`: Go's syntax. */
  static parse(text: string): Duration {
    const isNegative = typeof text === 'string' && /^-[^+-]/.test(text)
    return new Duration(isNegative ? -parseDuration(text.slice(1)) : parseDuration(text))
  }

  toString(): string {
    return `${this.ms}ms`
  }
}

function checked(count: unknown, unit: string): number {
  if (typeof count === 'number' && Number.isFinite(count)) return count
  throw new ConfigurationError(
    'KRON_DURATION_INVALID',
    `a duration must be a finite number of ${unit}, got ${quote(count)}`,
    { field: unit, value: count, allowed: 'a finite number' },
  )
}

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
