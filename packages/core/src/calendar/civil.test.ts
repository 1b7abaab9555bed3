import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  civilFromDay,
  dayFromCivil,
  dayOfMonthOf,
  daysInMonth,
  isLeapYear,
  monthOf,
  weekdayOf,
  yearOf,
} from './civil.js'
import {
  bitsOfMonth,
  daysBefore,
  daysPerCycle,
  firstCycleDay,
  firstWeekdayOf,
  leapOf,
  monthDayOf,
  startOf,
  yearAt,
  yearOfCycleDay,
  yearsPerCycle,
} from './year-table.js'

const msPerDay = 86_400_000
const farthestDay = 100_000_000

function expectSameAsDate(day: number): void {
  const date = new Date(day * msPerDay)
  const [year, month, dayOfMonth] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  const civil = civilFromDay(day)
  const got = [yearOf(civil), monthOf(civil), dayOfMonthOf(civil), weekdayOf(day)]
  const expected = [year, month + 1, dayOfMonth, date.getUTCDay()]
  if (got.some((value, index) => !Object.is(value, expected[index]))) {
    expect({ day, got }).toEqual({ day, got: expected })
    throw new Error(`a zero with a sign on day ${day}`)
  }
  if (dayFromCivil(year, month + 1, dayOfMonth) !== day) expect.fail(`dayFromCivil to ${day}`)
}

describe('a date of the Gregorian calendar', () => {
  it('is that of Date on every day from year -401 to 2801', () => {
    const last = Date.UTC(2801, 0, 1) / msPerDay
    let checked = 0
    for (let day = new Date(0).setUTCFullYear(-401, 0, 1) / msPerDay; day <= last; day++) {
      expectSameAsDate(day)
      checked++
    }
    expect(checked).toBeGreaterThan(3200 * 365)
  })

  it('is that of Date at both ends of what a date can hold', () => {
    for (let distance = 0; distance < 1000; distance++) {
      expectSameAsDate(farthestDay - distance)
      expectSameAsDate(distance - farthestDay)
    }
    expect(yearOf(civilFromDay(farthestDay))).toBe(275_760)
  })

  it('is that of Date on any day', () => {
    fc.assert(fc.property(fc.integer({ min: -farthestDay, max: farthestDay }), expectSameAsDate), {
      numRuns: 20_000,
      seed: 400,
    })
  })

  it('has months of the right length', () => {
    for (let year = -400; year <= 2800; year++) {
      const leap = new Date(0).setUTCFullYear(year, 1, 29)
      expect(isLeapYear(year)).toBe(new Date(leap).getUTCMonth() === 1)
    }
    for (const year of [1900, 2000, 2023, 2024, -4, -1]) {
      for (let month = 1; month <= 12; month++) {
        const last = new Date(new Date(0).setUTCFullYear(year, month, 0))
        expect(daysInMonth(year, month)).toBe(last.getUTCDate())
      }
    }
  })
})

describe('the table of four hundred years', () => {
  it('knows year, month and weekday of each of its days', () => {
    expect(daysPerCycle).toBe((Date.UTC(2400, 0, 1) - Date.UTC(2000, 0, 1)) / msPerDay)
    for (let day = 0; day < daysPerCycle; day++) {
      const date = new Date((firstCycleDay + day) * msPerDay)
      const year = yearAt(yearOfCycleDay(day))
      const dayOfYear = day - startOf(year)
      const monthDay = monthDayOf(leapOf(year), dayOfYear)
      const [month, dayOfMonth] = [monthDay >> 5, monthDay & 31]
      const isSame =
        2000 + yearOfCycleDay(day) === date.getUTCFullYear() &&
        month === date.getUTCMonth() + 1 &&
        dayOfMonth === date.getUTCDate() &&
        daysBefore(leapOf(year), month) === dayOfYear - dayOfMonth + 1 &&
        (firstWeekdayOf(year) + dayOfYear) % 7 === date.getUTCDay()
      if (!isSame) expect.fail(`day ${day} of the cycle, ${date.toISOString()}`)
    }
    expect(startOf(yearAt(yearsPerCycle))).toBe(daysPerCycle)
  })

  it.each([2023, 2024])('knows the days of each month in %i', (year) => {
    const leap = isLeapYear(year) ? 1 : 0
    for (let month = 1; month <= 12; month++) {
      for (let day = 1; day <= 31; day++) {
        const exists = day <= daysInMonth(year, month)
        expect((bitsOfMonth(leap, month) >>> day) & 1).toBe(exists ? 1 : 0)
      }
      expect(bitsOfMonth(leap, month) & 1).toBe(0)
    }
  })
})
