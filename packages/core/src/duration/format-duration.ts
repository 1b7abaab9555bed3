import { split } from './nanoseconds.js'
import { durationOf } from './parse-duration.js'

const hour = 3_600_000
const minute = 60_000

/** The canonical text: `1h30m`, `45s`, `1.5ms`, `0s`; parts that are zero are left out. */
export function formatDuration(duration: number): string {
  const { milliseconds, nanoseconds } = split(durationOf(duration, 'duration'))
  const hours = Math.floor(milliseconds / hour)
  const minutes = Math.floor((milliseconds % hour) / minute)
  const seconds = Math.floor((milliseconds % minute) / 1000)
  const rest = underAMinute(seconds, (milliseconds % 1000) * 1e6 + nanoseconds)
  const text = (hours > 0 ? `${hours}h` : '') + (minutes > 0 ? `${minutes}m` : '') + rest
  return text === '' ? '0s' : text
}

function underAMinute(seconds: number, nanoseconds: number): string {
  if (seconds > 0) return `${seconds}${fraction(nanoseconds, 9)}s`
  if (nanoseconds >= 1e6) return `${Math.floor(nanoseconds / 1e6)}${fraction(nanoseconds, 6)}ms`
  if (nanoseconds >= 1e3) return `${Math.floor(nanoseconds / 1e3)}${fraction(nanoseconds, 3)}us`
  return nanoseconds > 0 ? `${nanoseconds}ns` : ''
}

/** The last `digits` decimal digits as a fraction without trailing zeros, or nothing. */
function fraction(value: number, digits: number): string {
  const decimals = String(value % 10 ** digits).padStart(digits, '0')
  const significant = decimals.replace(/0+$/, '')
  return significant === '' ? '' : `.${significant}`
}
