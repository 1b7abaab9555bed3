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
