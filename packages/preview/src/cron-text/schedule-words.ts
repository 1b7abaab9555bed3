import { type Element, type FieldText, fieldTexts, valuesOf } from './cron-field.js'

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

/** More values than this are described by how they are written. */
const maxValuesListed = 6

/** What one field says: `minute 0, 15, 30 and 45`, `Monday to Friday`, `every 2nd day`. */
export function fieldWords(text: FieldText): string {
  const { field, elements } = text
  if (!text.restricted) return `every ${field.name}`
  const values = valuesOf(text)
  const stepped = elements.some(({ step }) => step > 1)
  if (field.names.length === 0 && stepped && values.length <= maxValuesListed) {
    return `${field.name} ${joined(values.map(String))}`
  }
  const unit = field.names.length === 0 && !stepped ? `${field.name} ` : ''
  return unit + joined(elements.map((element) => elementWords(text, element, unit === '')))
}

function elementWords({ field }: FieldText, element: Element, withUnit: boolean): string {
  const { from, to, step, star } = element
  const name = (value: number): string => {
    if (field.names.length > 0) return field.names[(value - field.min) % field.names.length]!
    return withUnit ? `${field.name} ${value}` : String(value)
  }
  if (from === to || step > to - from) return name(from)
  const range = `${name(from)} to ${field.names.length === 0 ? to : name(to)}`
  if (step === 1) return range
  const every = `every ${ordinal(step)} ${field.name}`
  return star ? every : `${every} from ${range}`
}

/** `a`, `a and b`, `a, b and c`. */
export function joined(parts: readonly string[]): string {
  if (parts.length < 2) return parts.join('')
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}

function ordinal(value: number): string {
  const teen = value % 100 >= 11 && value % 100 <= 13
  const ending = teen ? 'th' : (['th', 'st', 'nd', 'rd'][value % 10] ?? 'th')
  return `${value}${ending}`
}
