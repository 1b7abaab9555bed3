/** One position of a cron expression: its name in errors, its range, its names for numbers. */
export interface Field {
  readonly name: 'second' | 'minute' | 'hour' | 'day' | 'month' | 'weekday'
  readonly min: number
  readonly max: number
  readonly names: readonly string[]
}

const monthNames = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ')
const weekdayNames = 'SUN MON TUE WED THU FRI SAT'.split(' ')

export const secondField: Field = { name: 'second', min: 0, max: 59, names: [] }
export const minuteField: Field = { name: 'minute', min: 0, max: 59, names: [] }
export const hourField: Field = { name: 'hour', min: 0, max: 23, names: [] }
export const dayField: Field = { name: 'day', min: 1, max: 31, names: [] }
export const monthField: Field = { name: 'month', min: 1, max: 12, names: monthNames }
export const weekdayField: Field = { name: 'weekday', min: 0, max: 6, names: weekdayNames }

/** The number that a three-letter name stands for, or -1. Any case. */
export function numberOfName(field: Field, text: string): number {
  const index = field.names.indexOf(text.toUpperCase())
  return index < 0 ? -1 : index + field.min
}

const steppedElement = /^(?:\*|(\d{1,2})(?:-(\d{1,2}))?)\/(\d{1,4})$/

/**
 * What to write instead of an element with a step, where there are no steps: `0,15,30,45` for every
 * fifteenth minute. Null if the element means nothing in any dialect.
 */
export function spelledOutStep(element: string, { min, max }: Field): string | null {
  const match = steppedElement.exec(element)
  if (match === null) return null
  const [, first, last, stepText] = match
  const low = first === undefined ? min : Number(first)
  const high = last === undefined ? max : Number(last)
  const step = Number(stepText)
  if (step === 0 || low < min || high > max || low > high) return null
  if (step === 1) return low === min && high === max ? '*' : `${low}-${high}`
  const values: number[] = []
  for (let value = low; value <= high; value += step) values.push(value)
  return values.join()
}
