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
