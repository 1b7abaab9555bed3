/** The fields of a cron expression in their order, with their ranges and names. */
export interface CronField {
  readonly name: 'minute' | 'hour' | 'day' | 'month' | 'weekday'
  readonly min: number
  readonly max: number
  /** Names of the values from `min` on. */
  readonly names: readonly string[]
}

export const monthNames: readonly string[] = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
export const weekdayNames: readonly string[] = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
]

export const cronFields: readonly CronField[] = [
  { name: 'minute', min: 0, max: 59, names: [] },
  { name: 'hour', min: 0, max: 23, names: [] },
  { name: 'day', min: 1, max: 31, names: [] },
  { name: 'month', min: 1, max: 12, names: monthNames },
  { name: 'weekday', min: 0, max: 6, names: weekdayNames },
]

/** One element of a field's list: a value is a range of one, `*` the range of all. */
export interface Element {
  readonly text: string
  readonly from: number
  readonly to: number
  readonly step: number
  /** Whether it is written with `*`. */
  readonly star: boolean
}

/** A field of an expression that core has accepted, taken apart to be put into words. */
export interface FieldText {
  readonly field: CronField
  readonly text: string
  readonly elements: readonly Element[]
  /** In cron's sense: anything but `*`. */
  readonly restricted: boolean
}

/** The five fields of an accepted expression, or null when it is a macro such as `@daily`. */
export function fieldTexts(expression: string): readonly FieldText[] | null {
  if (expression.trimStart().startsWith('@')) return null
  return expression
    .trim()
    .split(/[ \t]+/)
    .map((text, index) => fieldText(cronFields[index]!, text))
}

function fieldText(field: CronField, text: string): FieldText {
  const elements = text.split(',').map((element) => elementOf(field, element))
  return { field, text, elements, restricted: text !== '*' }
}

function elementOf(field: CronField, text: string): Element {
  const [range, step = '1'] = text.split('/') as [string, string?]
  if (range === '*') {
    return { text, from: field.min, to: field.max, step: Number(step), star: true }
  }
  const [low, high = low] = range.split('-') as [string, string?]
  const from = valueNamed(field, low)
  const end = valueNamed(field, high)
  // SUN closes a range as the seventh day.
  const to = field.name === 'weekday' && end < from ? end + 7 : end
  return { text, from, to, step: Number(step), star: false }
}

function valueNamed(field: CronField, text: string): number {
  if (/^\d+$/.test(text)) return Number(text)
  const wanted = text.toUpperCase()
  return field.min + field.names.findIndex((name) => name.toUpperCase().startsWith(wanted))
}

/** All values of a field in order; Sunday is 0. */
export function valuesOf({ field, elements }: FieldText): number[] {
  const values = new Set<number>()
  for (const { from, to, step } of elements) {
    for (let value = from; value <= to; value += step) {
      values.add(field.name === 'weekday' ? value % 7 : value)
    }
  }
  return [...values].sort((a, b) => a - b)
}
