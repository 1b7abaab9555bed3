import { parseDuration, parseInstant, quote } from '@kron/core'
import { messageOf } from '@kron/runtime'
import { isWritable, type Steering } from '../domain/index.js'

const longestValue = 200
const nothing: Steering = Object.freeze({ problems: Object.freeze([]) })

type Headers = Readonly<Record<string, string>>

/**
 * Reads `Kron-Next-Run: <rfc3339>`, `Kron-Interval: 60s`, both with `; ttl=30m` if they say how
 * long they hold, and `Retry-After`. Header names are in lower case.
 */
export function parseSteering(headers: Headers, now: number): Steering {
  const nextRun = headers['kron-next-run']
  const interval = headers['kron-interval']
  const retryAfter = headers['retry-after']
  if (nextRun === undefined && interval === undefined && retryAfter === undefined) return nothing
  const problems: string[] = []
  return {
    ...read(nextRun, 'Kron-Next-Run', problems, nextRunOf),
    ...read(interval, 'Kron-Interval', problems, intervalOf),
    ...read(retryAfter, 'Retry-After', problems, (text) => retryAfterOf(text, now)),
    problems,
  }
}

function read<T extends object>(
  value: string | undefined,
  name: string,
  problems: string[],
  parse: (text: string) => T,
): T | undefined {
  if (value === undefined) return undefined
  try {
    if (value.length > longestValue) throw new Error(`longer than ${longestValue} characters`)
    return parse(value.trim())
  } catch (error) {
    problems.push(`${name}: ${messageOf(error)}`)
    return undefined
  }
}

function nextRunOf(text: string): Pick<Steering, 'nextRunAt' | 'nextRunTtlMs'> {
  const [value, ttlMs] = withTtl(text)
  const nextRunAt = parseInstant(value, 'the time')
  if (!isWritable(nextRunAt)) throw new Error(`the year must have four digits, got ${quote(value)}`)
  return { nextRunAt, ...(ttlMs !== null && { nextRunTtlMs: ttlMs }) }
}

function intervalOf(text: string): Pick<Steering, 'intervalMs' | 'intervalTtlMs'> {
  const [value, ttlMs] = withTtl(text)
  const intervalMs = positive(value, 'the interval')
  return { intervalMs, ...(ttlMs !== null && { intervalTtlMs: ttlMs }) }
}

function retryAfterOf(text: string, now: number): Pick<Steering, 'retryAfterMs'> {
  if (/^\d{1,10}$/.test(text)) return { retryAfterMs: Number(text) * 1000 }
  const date = parseHttpDate(text, now)
  if (date === null) throw new Error(`must be seconds or an HTTP date, got ${quote(text)}`)
  return { retryAfterMs: Math.max(0, date - now) }
}

function withTtl(text: string): [value: string, ttlMs: number | null] {
  const [value, ...parameters] = text.split(';').map((part) => part.trim())
  if (parameters.length === 0) return [value!, null]
  const ttl = parameters.length === 1 ? /^ttl\s*=\s*(\S+)$/i.exec(parameters[0]!) : null
  if (ttl === null) throw new Error(`only ttl=<duration> may follow, got ${quote(text)}`)
  return [value!, positive(ttl[1]!, 'ttl')]
}

/** Whole milliseconds, at least one: no schedule is finer, and zero would never let go. */
function positive(text: string, field: string): number {
  const milliseconds = Math.trunc(parseDuration(text, field))
  if (milliseconds < 1) throw new Error(`${field} must be at least 1ms, got ${quote(text)}`)
  return milliseconds
}

const monthNames = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
const time = '(?<hour>\\d{2}):(?<minute>\\d{2}):(?<second>\\d{2})'

/** The form of today and the two that RFC 9110 still wants to be read. */
const forms: readonly RegExp[] = [
  new RegExp(`^[A-Z][a-z]{2}, (?<day>\\d{2}) (?<month>[A-Z][a-z]{2}) (?<year>\\d{4}) ${time} GMT$`),
  new RegExp(`^[A-Z][a-z]+, (?<day>\\d{2})-(?<month>[A-Z][a-z]{2})-(?<year>\\d{2}) ${time} GMT$`),
  new RegExp(`^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \\d]\\d) ${time} (?<year>\\d{4})$`),
]

/** Epoch milliseconds of a date in an HTTP header, null when it is none. */
export function parseHttpDate(text: string, now: number): number | null {
  for (const form of forms) {
    const parts = form.exec(text)?.groups
    if (parts !== undefined) return instantOf(parts, now)
  }
  return null
}

function instantOf(parts: Record<string, string | undefined>, now: number): number | null {
  const number = (name: string): number => Number(parts[name])
  const year = parts['year']!.length === 2 ? fullYear(number('year'), now) : number('year')
  const month = monthNames.indexOf(parts['month']!)
  const day = number('day')
  const [hour, minute, second] = [number('hour'), number('minute'), number('second')]
  // A leap second is written as the sixtieth; to us it is the first of the next minute.
  if (month === -1 || hour > 23 || minute > 59 || second > 60) return null
  const midnight = new Date(0)
  midnight.setUTCFullYear(year, month, day)
  if (midnight.getUTCDate() !== day) return null
  return midnight.getTime() + ((hour * 60 + minute) * 60 + second) * 1000
}

/** Two digits that would lie more than fifty years ahead are of the century before. */
function fullYear(twoDigits: number, now: number): number {
  const thisYear = new Date(now).getUTCFullYear()
  const year = thisYear - (thisYear % 100) + twoDigits
  return year > thisYear + 50 ? year - 100 : year
}
