import { dayFromCivil, isLeapYear, weekdayOf } from './civil.js'

/**
 * The 400 years after which the calendar repeats, as tables: finding year and month of a day is
 * then a few loads, where the closed formulas need a chain of divisions. 2000 is the first year.
 */
export const daysPerCycle = 146_097
export const yearsPerCycle = 400
export const firstCycleDay = dayFromCivil(2000, 1, 1)

/**
 * For each year of the cycle, and one more that closes the last: the day of the cycle on which it
 * begins, times 16, plus its type. Types 0..6 are common years by the weekday of 1 January, types
 * 8..14 leap years.
 */
const years = new Int32Array(yearsPerCycle + 1)
/** For each day of a common year, then from 512 of a leap year: its month * 32 + day of month. */
const monthDays = new Uint16Array(1024)
/** Days of the year before each month of a common year, then from 16 of a leap year. */
const daysBeforeMonth = new Int16Array(32)
/** The days that each month has, as bits 1..31, in the same order. */
const monthBits = new Int32Array(32)

for (let year = 0; year <= yearsPerCycle; year++) {
  const start = dayFromCivil(2000 + year, 1, 1)
  years[year] = (start - firstCycleDay) * 16 + weekdayOf(start) + (isLeapYear(year) ? 8 : 0)
}
for (let leap = 0; leap < 2; leap++) {
  const start = dayFromCivil(2001 - leap, 1, 1)
  for (let month = 1; month <= 13; month++) {
    // Month 13 is the January after: it closes December.
    const before = dayFromCivil(2001 - leap, month, 1) - start
    const length = dayFromCivil(2001 - leap, month + 1, 1) - start - before
    daysBeforeMonth[leap * 16 + month] = before
    monthBits[leap * 16 + month] = length === 31 ? -2 : (2 << length) - 2
    for (let day = 1; day <= length; day++) {
      monthDays[leap * 512 + before + day - 1] = month * 32 + day
    }
  }
}

/** Makes the guess below the right year or the one after it, for every day of the cycle. */
const neverTooEarly = 288

/** The year of the cycle that holds a day of the cycle. */
export function yearOfCycleDay(day: number): number {
  const guess = ((day * yearsPerCycle + neverTooEarly) / daysPerCycle) | 0
  return startOf(years[guess]!) > day ? guess - 1 : guess
}

/** A year of the cycle as one number, to be taken apart by the functions below. */
export const yearAt = (year: number): number => years[year]!
/** The day of the cycle on which it begins. */
export const startOf = (year: number): number => year >> 4
/** 1 for a leap year, else 0. */
export const leapOf = (year: number): number => (year >> 3) & 1
/** The weekday of its 1 January. */
export const firstWeekdayOf = (year: number): number => year & 7

/** A leap year that begins on a weekday, wherever it may be. */
export const leapYearFrom = (weekday: number): number => 8 + weekday

/** Month * 32 + day of month of a day of the year, counted from 0. */
export const monthDayOf = (leap: number, dayOfYear: number): number =>
  monthDays[leap * 512 + dayOfYear]!
export const daysBefore = (leap: number, month: number): number =>
  daysBeforeMonth[leap * 16 + month]!
/** The days that a month has, as bits 1..31. */
export const bitsOfMonth = (leap: number, month: number): number => monthBits[leap * 16 + month]!
