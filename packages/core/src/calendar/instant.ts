import { quote, ValidationError } from '../errors/index.js'
import { civilFromDay, dayFromCivil, dayOfMonthOf, daysInMonth, monthOf, yearOf } from './civil.js'

/** The range of a JavaScript date, 100,000,000 days either side of 1970. */
export const latestInstant = 8.64e15

/** Throws unless `value` is a whole number of epoch milliseconds that a date can hold. */
export function checkInstant(value: unknown, field: string): asserts value is number {
  if (
    Number.isInteger(value) &&
    (value as number) <= latestInstant &&
    (value as number) >= -latestInstant
  ) {
    return
  }
  throw new ValidationError(
    'KRON_INSTANT_INVALID',
    `${field} must be a whole number of epoch milliseconds within ±8.64e15, got ${quote(value)}`,
    { field, value, allowed: 'an integer from -8.64e15 to 8.64e15' },
  )
}

const twoDigits: readonly string[] = Array.from({ length: 100 }, (_, n) =>
  String(n).padStart(2, '0'),
)

export const twoDigit = (n: number): string => twoDigits[n]!

/** `YYYY`, or the expanded form with a sign and six digits outside of years 0 to 9999. */
export function formatYear(year: number): string {
  if (year >= 0 && year <= 9999) return year >= 1000 ? `${year}` : String(year).padStart(4, '0')
  return `${year < 0 ? '-' : '+'}${String(Math.abs(year)).padStart(6, '0')}`
}

/** `YYYY-MM-DD` of a day counted from 1970-01-01. */
export function formatDay(day: number): string {
  const civil = civilFromDay(day)
  return `${formatYear(yearOf(civil))}-${twoDigits[monthOf(civil)]}-${twoDigits[dayOfMonthOf(civil)]}`
}

const zero = 48
const hyphen = 45
const colon = 58
const letterT = 84
const letterZ = 90

/** RFC 3339 in UTC without a fraction; anything below the second is dropped. */
export function formatInstant(instant: number): string {
  const seconds = Math.floor(instant / 1000)
  const day = Math.floor(seconds / 86_400)
  const rest = (seconds - day * 86_400) | 0
  const hour = (rest / 3600) | 0
  const minute = ((rest - hour * 3600) / 60) | 0
  const second = rest - hour * 3600 - minute * 60
  const civil = civilFromDay(day)
  const year = yearOf(civil)
  if (year < 0 || year > 9999) {
    return `${formatDay(day)}T${twoDigits[hour]}:${twoDigits[minute]}:${twoDigits[second]}Z`
  }
  const month = monthOf(civil)
  const dayOfMonth = dayOfMonthOf(civil)
  const century = (year / 100) | 0
  // One flat string from its characters: this is on the path of every decision, and a string put
  // together from pieces would have to be flattened again for the hash.
  return String.fromCharCode(
    zero + ((century / 10) | 0),
    zero + (century % 10),
    zero + (((year % 100) / 10) | 0),
    zero + (year % 10),
    hyphen,
    zero + ((month / 10) | 0),
    zero + (month % 10),
    hyphen,
    zero + ((dayOfMonth / 10) | 0),
    zero + (dayOfMonth % 10),
    letterT,
    zero + ((hour / 10) | 0),
    zero + (hour % 10),
    colon,
    zero + ((minute / 10) | 0),
    zero + (minute % 10),
    colon,
    zero + ((second / 10) | 0),
    zero + (second % 10),
    letterZ,
  )
}

const rfc3339 =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/

/** Reads RFC 3339 with any offset; digits beyond the millisecond are dropped. */
export function parseInstant(text: string, field = 'instant'): number {
  const match = typeof text === 'string' ? rfc3339.exec(text) : null
  const instant = match === null ? Number.NaN : instantOf(match)
  if (!Number.isNaN(instant)) return instant
  throw new ValidationError(
    'KRON_INSTANT_INVALID',
    `${field} must be an RFC 3339 time such as 2026-03-01T02:32:20Z, got ${quote(text)}`,
    { field, value: text, allowed: 'RFC 3339, for example 2026-03-01T02:32:20Z' },
  )
}

function instantOf(match: RegExpExecArray): number {
  const year = Number(match[1])
  const month = Number(match[2])
  const dayOfMonth = Number(match[3])
  const hour = Number(match[4])
  const minute = Number(match[5])
  const second = Number(match[6])
  const valid =
    month >= 1 &&
    month <= 12 &&
    dayOfMonth >= 1 &&
    dayOfMonth <= daysInMonth(year, month) &&
    hour <= 23 &&
    minute <= 59 &&
    second <= 59
  const offsetHours = Number(match[9] ?? 0)
  const offsetMinutes = Number(match[10] ?? 0)
  if (!valid || offsetHours > 23 || offsetMinutes > 59) return Number.NaN
  const milliseconds = match[7] === undefined ? 0 : Number(match[7].slice(0, 3).padEnd(3, '0'))
  const offset = (match[8] === '-' ? -1 : 1) * (offsetHours * 60 + offsetMinutes) * 60_000
  const seconds =
    dayFromCivil(year, month, dayOfMonth) * 86_400 + hour * 3600 + minute * 60 + second
  return seconds * 1000 + milliseconds - offset
}
