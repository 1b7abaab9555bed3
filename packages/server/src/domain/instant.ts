/** An instant as people see it: RFC 3339 in UTC, with milliseconds where there are some. */
export function instantText(instant: number): string {
  if (instant !== lastInstant) {
    const text = new Date(instant).toISOString()
    lastText = instant % 1000 === 0 ? `${text.slice(0, -5)}Z` : text
    lastInstant = instant
  }
  return lastText
}

/** Crowds are due at one instant, and workers write it for each of them. */
let lastInstant = Number.NaN
let lastText = ''

const firstWritable = Date.parse('0000-01-01T00:00:00Z')
const lastWritable = Date.parse('9999-12-31T23:59:59.999Z')

/** RFC 3339 has four digits for the year: by its offset a text may name an instant beyond them. */
export function isWritable(instant: number): boolean {
  return instant >= firstWritable && instant <= lastWritable
}

/** The month of an instant as YYYY-MM, in UTC: the period over which quotas are counted. */
export function monthOf(now: number): string {
  return new Date(now).toISOString().slice(0, 7)
}

/** When the counters of an instant's month start again at zero. */
export function monthEnd(now: number): number {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
}
