import { listOf, type TimeSet } from './time-field.js'

/** The day fields of a krontab schedule, and the clause that they may need. */
export interface DayText {
  readonly day: string
  readonly weekday: string
  /** `dow=MON`: a condition that the two fields can't express together; or nothing. */
  readonly only: string
}

/**
 * Cron takes a day if *both* day fields match as soon as one of them begins with `*`, also with
 * `*` and a step; otherwise if *either* does. A krontab schedule takes either whenever neither of
 * them is a plain `*`, so "both" becomes one field and a condition on the chosen day.
 */
export function dayText(day: TimeSet, weekday: TimeSet): DayText {
  const either = !day.star && !weekday.star
  return either ? { day: day.text, weekday: weekday.text, only: '' } : bothDays(day, weekday)
}

/** Days that both fields match. */
export function bothDays(day: TimeSet, weekday: TimeSet): DayText {
  if (day.text === '*' || weekday.text === '*') {
    return { day: day.text, weekday: weekday.text, only: '' }
  }
  // The field with fewer days makes the periods, so that few of them are turned down.
  if (day.values.length / 31 < weekday.values.length / 7) {
    return { day: day.text, weekday: '*', only: `dow=${listOf(weekday.values)}` }
  }
  return { day: '*', weekday: weekday.text, only: `dom=${listOf(day.values)}` }
}
