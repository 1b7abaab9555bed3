import { type FieldText, fieldTexts, valuesOf } from './field-elements.js'
import { fieldWords, joined } from './field-words.js'

/** More times of day than this are described by their fields. */
const maxTimesListed = 6

const macroWords: Readonly<Record<string, string>> = {
  '@hourly': 'at minute 0 of every hour',
  '@daily': 'at 00:00, every day',
  '@midnight': 'at 00:00, every day',
  '@weekly': 'at 00:00, on Sunday',
  '@monthly': 'at 00:00, on day 1',
  '@yearly': 'at 00:00, on day 1, in January',
  '@annually': 'at 00:00, on day 1, in January',
}

/** An accepted cron expression in words: `at 02:00 and 14:00, on Monday to Friday, in June`. */
export function scheduleWords(expression: string): string {
  const fields = fieldTexts(expression)
  if (fields === null) return macroWords[expression.trim().toLowerCase()] ?? expression
  const [minute, hour, day, month, weekday] = fields as [
    FieldText,
    FieldText,
    FieldText,
    FieldText,
    FieldText,
  ]
  const months = month.restricted ? [`in ${fieldWords(month)}`] : []
  const days = dayWords(day, weekday)
  const always = days === 'every day' && !hour.restricted
  return [timeWords(minute, hour), ...(always ? [] : [days]), ...months].join(', ')
}

function timeWords(minute: FieldText, hour: FieldText): string {
  const minutes = valuesOf(minute)
  const hours = valuesOf(hour)
  if (minutes.length * hours.length <= maxTimesListed) {
    const times = hours.flatMap((h) => minutes.map((m) => `${twoDigit(h)}:${twoDigit(m)}`))
    return `at ${joined(times)}`
  }
  if (!minute.restricted && !hour.restricted) return 'every minute'
  const within = hour.restricted ? `of ${fieldWords(hour)}` : 'of every hour'
  const first = fieldWords(minute)
  return `${first.startsWith('every') ? '' : 'at '}${first} ${within}`
}

function dayWords(day: FieldText, weekday: FieldText): string {
  if (!day.restricted && !weekday.restricted) return 'every day'
  if (!weekday.restricted) return `on ${fieldWords(day)}`
  if (!day.restricted) return `on ${fieldWords(weekday)}`
  return `on ${fieldWords(day)}, or on ${fieldWords(weekday)}`
}

const twoDigit = (value: number): string => String(value).padStart(2, '0')
