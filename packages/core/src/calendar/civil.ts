/**
 * Dates of the proleptic Gregorian calendar as whole numbers. A `day` counts from 1970-01-01.
 * Years are shifted to begin in March, so that the leap day is the last of its year and every
 * formula is plain integer arithmetic; nothing here allocates.
 */

const daysPer400Years = 146_097
const daysFromMarchZeroTo1970 = 719_468

/** Year, month and day packed as `year * 512 + month * 32 + dayOfMonth`. */
export function civilFromDay(day: number): number {
  const shifted = day + daysFromMarchZeroTo1970
  const era = Math.floor(shifted / daysPer400Years)
  const dayOfEra = (shifted - era * daysPer400Years) | 0
  const leapFree =
    dayOfEra - ((dayOfEra / 1460) | 0) + ((dayOfEra / 36_524) | 0) - ((dayOfEra / 146_096) | 0)
  const yearOfEra = (leapFree / 365) | 0
  const dayOfYear = dayOfEra - (365 * yearOfEra + ((yearOfEra / 4) | 0) - ((yearOfEra / 100) | 0))
  const monthFromMarch = ((5 * dayOfYear + 2) / 153) | 0
  const dayOfMonth = dayOfYear - (((153 * monthFromMarch + 2) / 5) | 0) + 1
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  const year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
  return year * 512 + month * 32 + dayOfMonth
}

export const yearOf = (civil: number): number => Math.floor(civil / 512)
export const monthOf = (civil: number): number => (civil >> 5) & 15
export const dayOfMonthOf = (civil: number): number => civil & 31

export function dayFromCivil(year: number, month: number, dayOfMonth: number): number {
  const shiftedYear = month <= 2 ? year - 1 : year
  const era = Math.floor(shiftedYear / 400)
  const yearOfEra = (shiftedYear - era * 400) | 0
  const monthFromMarch = month > 2 ? month - 3 : month + 9
  const dayOfYear = (((153 * monthFromMarch + 2) / 5) | 0) + dayOfMonth - 1
  const dayOfEra = yearOfEra * 365 + ((yearOfEra / 4) | 0) - ((yearOfEra / 100) | 0) + dayOfYear
  return era * daysPer400Years + dayOfEra - daysFromMarchZeroTo1970
}

export function isLeapYear(year: number): boolean {
  return (year & 3) === 0 && (year % 100 !== 0 || year % 400 === 0)
}

export function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28
  return 30 + ((month + (month >> 3)) & 1)
}

/** 0 = Sunday … 6 = Saturday. */
export function weekdayOf(day: number): number {
  const remainder = ((day + 4) % 7) | 0
  return remainder < 0 ? remainder + 7 : remainder
}
