import { KronError, parseDuration, quote } from '@kron/core'
import { Refusal } from './refusal.js'

const minute = 60_000
const hour = 60 * minute

/** Intervals that a cron expression can keep up over days. */
const regular: readonly (readonly [ms: number, cron: string])[] = [
  [minute, '* * * * *'],
  ...[2, 3, 4, 5, 6, 10, 12, 15, 20, 30].map((m): [number, string] => [
    m * minute,
    `*/${m} * * * *`,
  ]),
  [hour, '0 * * * *'],
  ...[2, 3, 4, 6, 8, 12].map((h): [number, string] => [h * hour, `0 */${h} * * *`]),
  [24 * hour, '0 0 * * *'],
  [168 * hour, '0 0 * * 0'],
]

/** `@every` counts from a start that is in no manifest, and so do its runs: no cron says that. */
export function everySchedule(text: string): Refusal {
  const interval = intervalIn(text)
  const named = quote(text)
  if (interval === null) return new Refusal(`${named} must have a duration such as 1h30m`)
  const distance = ([ms]: readonly [number, string]): number => Math.abs(Math.log(ms / interval))
  const [nearest] = regular.toSorted((a, b) => distance(a) - distance(b))
  const [ms, cron] = nearest!
  const same = ms === interval ? 'as often, on the clock' : 'the nearest on the clock'
  return new Refusal(
    `${named} counts from when the CronJob was created, which no cron expression can say`,
    `hint: ${quote(cron)} runs ${same}; change the CronJob's schedule to it and import again`,
  )
}

function intervalIn(text: string): number | null {
  try {
    // Below a second it is a second there.
    return Math.max(1000, parseDuration(text.slice('@every'.length).trim()))
  } catch (error) {
    if (error instanceof KronError) return null
    throw error
  }
}
