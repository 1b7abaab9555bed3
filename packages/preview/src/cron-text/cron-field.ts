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
