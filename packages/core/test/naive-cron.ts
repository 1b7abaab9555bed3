/**
 * A second reading of cron expressions, as plain as it can be and sharing nothing with the one
 * under test: every field becomes a set of numbers or a list of questions to ask of a date.
 * It trusts the text to be valid.
 */
export interface NaiveCron {
  readonly hasSeconds: boolean
  matchesTime(hour: number, minute: number, second: number): boolean
  /** Whether a day, counted from 1970-01-01, matches. */
  matchesDay(day: number): boolean
}

type DateTest = (date: Date) => boolean

const macros: Record<string, string> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
}
const monthNames = ['', 'jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct']
monthNames.push('nov', 'dec')
const weekdayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

export function naiveCron(text: string): NaiveCron {
  const trimmed = text.trim().toLowerCase()
  const fields = (macros[trimmed] ?? trimmed).split(/[ \t]+/)
  const hasSeconds = fields.length === 6
  if (!hasSeconds) fields.unshift('0')
  const [second, minute, hour, day, month, weekday] = fields as [
    string,
    string,
    string,
    string,
    string,
    string,
  ]
  const seconds = numbers(second, 0, 59, [])
  const minutes = numbers(minute, 0, 59, [])
  const hours = numbers(hour, 0, 23, [])
  const months = numbers(month, 1, 12, monthNames)
  const dayTests = isStar(day) ? [] : day.split(',').map(dayTest)
  const weekdayTests = isStar(weekday) ? [] : weekday.split(',').map(weekdayTest)
  const tests = [...dayTests, ...weekdayTests]
  return {
    hasSeconds,
    matchesTime: (h, m, s) => hours.has(h) && minutes.has(m) && seconds.has(s),
    matchesDay: (dayNumber) => {
      const date = new Date(dayNumber * 86_400_000)
      if (!months.has(date.getUTCMonth() + 1)) return false
      return tests.length === 0 || tests.some((test) => test(date))
    },
  }
}

const isStar = (field: string): boolean => field === '*' || field === '?'

/** Numbers, names, ranges, steps, lists. */
function numbers(field: string, min: number, max: number, names: string[]): Set<number> {
  const found = new Set<number>()
  for (const part of field.split(',')) {
    const [range, step] = part.split('/') as [string, string?]
    const [from, to] = range.split('-') as [string, string?]
    let low = from === '*' ? min : numberOf(from, names)
    let high = low
    if (to !== undefined) high = numberOf(to, names)
    else if (from === '*' || step !== undefined) {
      // A single value with a step runs to the end of the field, and 7 stands for 0 there.
      if (low > max) low = 0
      high = max
    }
    if (to === 'sun' && low > 0) high = 7
    for (let value = low; value <= high; value += Number(step ?? 1)) found.add(value)
  }
  return found
}

const numberOf = (text: string, names: string[]): number =>
  names.includes(text) ? names.indexOf(text) : Number(text)

function dayTest(token: string): DateTest {
  if (token === 'l') return isLastOfMonth
  if (token === 'lw') return (date) => nearestWorkday(date, lengthOfMonth(date)) === dayOf(date)
  if (token.endsWith('w')) {
    const target = Number(token.slice(0, -1))
    return (date) => nearestWorkday(date, target) === dayOf(date)
  }
  const days = numbers(token, 1, 31, [])
  return (date) => days.has(dayOf(date))
}

function weekdayTest(token: string): DateTest {
  if (token.includes('#')) {
    const [name, nth] = token.split('#') as [string, string]
    const weekday = numberOf(name, weekdayNames) % 7
    return (date) => date.getUTCDay() === weekday && Math.ceil(dayOf(date) / 7) === Number(nth)
  }
  if (token.endsWith('l')) {
    const weekday = numberOf(token.slice(0, -1), weekdayNames) % 7
    return (date) => date.getUTCDay() === weekday && dayOf(date) + 7 > lengthOfMonth(date)
  }
  const weekdays = numbers(token, 0, 6, weekdayNames)
  return (date) => weekdays.has(date.getUTCDay()) || (date.getUTCDay() === 0 && weekdays.has(7))
}

const dayOf = (date: Date): number => date.getUTCDate()

const isLastOfMonth: DateTest = (date) => dayOf(date) === lengthOfMonth(date)

function lengthOfMonth(date: Date): number {
  const last = new Date(date)
  last.setUTCDate(1)
  last.setUTCMonth(last.getUTCMonth() + 1)
  last.setUTCDate(0)
  return last.getUTCDate()
}

/** Of all days from Monday to Friday in the month of `date`, the one closest to `target`. */
function nearestWorkday(date: Date, target: number): number | undefined {
  const length = lengthOfMonth(date)
  if (target > length) return undefined
  let nearest: number | undefined
  for (let day = 1; day <= length; day++) {
    const candidate = new Date(date)
    candidate.setUTCDate(day)
    if (candidate.getUTCDay() === 0 || candidate.getUTCDay() === 6) continue
    const isCloser = nearest === undefined || Math.abs(day - target) < Math.abs(nearest - target)
    if (isCloser) nearest = day
  }
  return nearest
}
