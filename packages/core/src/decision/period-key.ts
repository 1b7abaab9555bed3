import { civilFromDay, dayFromCivil, weekdayOf, yearOf } from '../calendar/civil.js'
import { formatDay, formatYear, twoDigit } from '../calendar/instant.js'
import type { SeedSpec } from '../definition/index.js'
import type { Zone } from '../zone/index.js'

/** What of the period enters the seed: all of it, its local date, or its local ISO week. */
export function periodKeyOf(
  strategy: SeedSpec['strategy'],
  periodId: string,
  nominal: number,
  zone: Zone,
): string {
  if (strategy === 'stable') return periodId
  const seconds = Math.floor(nominal / 1000)
  const day = Math.floor((seconds + zone.offsetAt(seconds)) / 86_400)
  return strategy === 'daily' ? formatDay(day) : formatIsoWeek(day)
}

/** `YYYY-Www`: a week belongs to the year that has its Thursday. */
function formatIsoWeek(day: number): string {
  const fromMonday = (weekdayOf(day) + 6) % 7
  const thursday = day - fromMonday + 3
  const year = yearOf(civilFromDay(thursday))
  const week = Math.floor((thursday - dayFromCivil(year, 1, 1)) / 7) + 1
  return `${formatYear(year)}-W${twoDigit(week)}`
}
