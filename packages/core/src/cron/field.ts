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
