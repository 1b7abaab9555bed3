import { durationForm, negativeDuration, notADuration, tooLongDuration } from './duration-errors.js'
import { longestMilliseconds, roundedToNanosecond } from './nanoseconds.js'
import { parseDuration } from './parse-duration.js'

const textOrNumber = `${durationForm}, or a finite number of milliseconds`

/** A duration given as text or as a number of milliseconds, in milliseconds. */
export function durationOf(value: unknown, field: string): number {
  if (typeof value === 'string') return parseDuration(value, field)
  if (typeof value !== 'number' || Number.isNaN(value))
    throw notADuration(value, field, textOrNumber)
  if (value < 0) throw negativeDuration(value, field)
  if (value === Number.POSITIVE_INFINITY) throw notADuration(value, field, textOrNumber)
  if (value > longestMilliseconds) throw tooLongDuration(value, field)
  return value === 0 ? 0 : roundedToNanosecond(value)
}
