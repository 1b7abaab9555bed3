import { dayFromCivil, isLeapYear, weekdayOf } from './civil.js'

/**
 * The 400 years after which the calendar repeats, as tables: finding year and month of a day is
 * then a few loads, where the closed formulas need a chain of divisions. 2000 is the first year.
 */
export const daysPerCycle = 146_097
export const yearsPerCycle = 400
export const firstCycleYear = 2000
export const firstCycleDay = dayFromCivil(firstCycleYear, 1, 1)

/** Day of the cycle on which each of its years begins; one more entry closes the last year. */
const yearStarts = new Int32Array(yearsPerCycle + 1)
/** 0..6 the weekday of 1 January in a common year, 7..13 in a leap year. */
const yearTypes = new Uint8Array(yearsPerCycle)
/** Days of the year before a month: 16 entries for common years, then 16 for leap years. */
const daysBeforeMonth = new Int16Array(32)
/** Month of a day of the year: 512 entries for common years, then 512 for leap years. */
const monthsOfDay = new Uint8Array(1024)

for (let year = 0; year <= yearsPerCycle; year++) {
  const start = dayFromCivil(firstCycleYear + year, 1, 1)
  yearStarts[year] = start - firstCycleDay
  if (year < yearsPerCycle) yearTypes[year] = weekdayOf(start) + (isLeapYear(year) ? 7 : 0)
}
for (let leap = 0; leap < 2; leap++) {
  const start = dayFromCivil(2001 - leap, 1, 1)
  for (let month = 1; month <= 13; month++) {
    // Month 13 is the January after: it closes December.
    const before = dayFromCivil(2001 - leap, month, 1) - start
    daysBeforeMonth[leap * 16 + month] = before
    monthsOfDay.fill(month, leap * 512 + before, leap * 512 + 512)
  }
}

/** The year of the cycle that holds a day of the cycle. */
export function yearOfCycleDay(day: number): number {
  const guess = ((day * yearsPerCycle) / daysPerCycle) | 0
  if (yearStarts[guess]! > day) return guess - 1
  return yearStarts[guess + 1]! <= day ? guess + 1 : guess
}

export const yearStart = (year: number): number => yearStarts[year]!
export const yearType = (year: number): number => yearTypes[year]!
export const isLeapType = (type: number): number => (type >= 7 ? 1 : 0)
export const monthOfYearDay = (leap: number, dayOfYear: number): number =>
  monthsOfDay[leap * 512 + dayOfYear]!
export const daysBefore = (leap: number, month: number): number =>
  daysBeforeMonth[leap * 16 + month]!
