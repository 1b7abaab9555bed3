import { describe, expect, it } from 'vitest'
import { forwards, matchesBetween } from '../../test/matches-of.js'
import { formatInstant } from '../calendar/instant.js'
import { ConfigurationError, ValidationError } from '../errors/index.js'
import type { Cron } from './cron.js'
import type { Dialect } from './dialect.js'
import { parseCron } from './parse.js'

/** The first matches of 2026; two expressions with the same ones are taken to mean the same. */
function firstMatches(cron: Cron): string[] {
  const found: string[] = []
  for (let at = cron.next(Date.UTC(2026, 0, 1) - 1)!; found.length < 400; at = cron.next(at)!) {
    found.push(formatInstant(at))
  }
  return found
}

describe('a valid expression', () => {
  const same: [expression: string, meaning: string, dialect: Dialect][] = [
    ['0 0 * * FRI-SUN', '0 0 * * 0,5,6', 'standard'],
    ['0 0 * * SAT-SUN', '0 0 * * 0,6', 'standard'],
    ['0 0 * * MON-SUN', '0 0 * * 0,1,2,3,4,5,6', 'standard'],
    ['0 0 * * SUN-TUE', '0 0 * * 0,1,2', 'standard'],
    ['0 0 * * SUN-SUN', '0 0 * * 0', 'standard'],
    ['0 0 * * 5-SUN', '0 0 * * 0,5,6', 'standard'],
    ['0 0 * * FRI-7', '0 0 * * 0,5,6', 'standard'],
    ['0 0 * * FRI-SUN/2', '0 0 * * 0,5', 'standard'],
    ['0 0 * * 7-SUN', '0 0 * * 0', 'standard'],
    ['0 0 * * 4-7', '0 0 * * 0,4,5,6', 'standard'],
    ['0 0 * * 0-7', '0 0 * * 0,1,2,3,4,5,6', 'standard'],
    ['0 0 * * 7', '0 0 * * 0', 'standard'],
    ['0 0 * * 7-7', '0 0 * * 0', 'standard'],
    ['0 0 * * 1-7/2', '0 0 * * 0,1,3,5', 'standard'],
    ['0 0 * * 007', '0 0 * * 0', 'standard'],
    ['0 0 * * sun', '0 0 * * 0', 'standard'],
    ['0 0 * * Sun,wED', '0 0 * * 0,3', 'standard'],
    ['0 0 * * mon-FRI', '0 0 * * 1-5', 'standard'],
    ['0 0 * * mon,3-fri/2', '0 0 * * 1,3,5', 'standard'],
    ['0 0 * jan,feb-APR,12 *', '0 0 * 1,2,3,4,12 *', 'standard'],
    ['0 0 1 JAN-dec/6 *', '0 0 1 1,7 *', 'standard'],
    ['00 000 01 0001 06', '0 0 1 1 6', 'posix'],
    ['0000000000000000000000005 * * * *', '5 * * * *', 'posix'],
    ['\t0\t0 \t *  *\t* ', '0 0 * * *', 'posix'],
    ['*/90 * * * *', '0 * * * *', 'standard'],
    ['*/99999999999999999999 * * * *', '0 * * * *', 'standard'],
    ['10-20/90 * * * *', '10 * * * *', 'standard'],
    ['*/1 * * * *', '* * * * *', 'standard'],
    ['*/59 * * * *', '0,59 * * * *', 'standard'],
    ['*/40 * * * *', '0,40 * * * *', 'standard'],
    ['5-59/20 * * * *', '5,25,45 * * * *', 'standard'],
    ['0 */7 * * *', '0 0,7,14,21 * * *', 'standard'],
    ['0 0 */10 * *', '0 0 1,11,21,31 * *', 'standard'],
    ['0 0 1 */5 *', '0 0 1 1,6,11 *', 'standard'],
    ['0 0 * * */3', '0 0 * * 0,3,6', 'standard'],
    ['*/30,*/20 * * * *', '0,20,30,40 * * * *', 'standard'],
    ['5,5,5,1-6 * * * *', '1,2,3,4,5,6 * * * *', 'posix'],
    ['30,0 * * * *', '0,30 * * * *', 'posix'],
    ['31-33 * * * *', '31,32,33 * * * *', 'posix'],
    ['@hourly', '0 * * * *', 'standard'],
    ['@daily', '0 0 * * *', 'standard'],
    ['@midnight', '0 0 * * *', 'standard'],
    ['@weekly', '0 0 * * 0', 'standard'],
    ['@monthly', '0 0 1 * *', 'standard'],
    ['@yearly', '0 0 1 1 *', 'standard'],
    [' \t@Annually \t', '0 0 1 1 *', 'extended'],
    ['0 0 ? * ?', '0 0 * * *', 'extended'],
    ['0 0 ? * 2', '0 0 * * 2', 'extended'],
    ['5/20 * * * *', '5,25,45 * * * *', 'extended'],
    ['0 8/6 * * *', '0 8,14,20 * * *', 'extended'],
    ['0 0 1 3/4 ?', '0 0 1 3,7,11 *', 'extended'],
    ['0 0 ? * 7/2', '0 0 * * 0,2,4,6', 'extended'],
    ['0 0 ? * SUN/2', '0 0 * * 0,2,4,6', 'extended'],
    ['0 0 ? * WED/2', '0 0 * * 3,5', 'extended'],
    ['0 0 ? * 1-WED', '0 0 * * 1,2,3', 'extended'],
    ['0 0 ? * WED-FRI', '0 0 * * 3,4,5', 'extended'],
    ['0 0 ? * MON-WED/2,wed-thu', '0 0 * * 1,3,4', 'extended'],
    ['0 0 ? * WED-SUN', '0 0 * * 0,3,4,5,6', 'extended'],
    ['0 0 ? JUL *', '0 0 * 7 *', 'extended'],
    ['0 */5 * * * *', '*/5 * * * *', 'extended'],
    ['0 0 12 ? * MON-FRI', '0 12 * * 1-5', 'extended'],
  ]
  it.each(same)('%j means %s in %s', (expression, meaning, dialect) => {
    const plain = parseCron(meaning, dialect)
    expect(firstMatches(parseCron(expression, dialect))).toEqual(firstMatches(plain))
  })

  it.each([
    '0 0 * * *',
    '15 3 * * 1-5',
    '0,30 * * * *',
    '0 12 14 2 *',
    '15,30,45,0 * * * *',
    '0-59 0-23 1-31 1-12 0-6',
  ])('%s of the posix dialect means the same in all of them', (expression) => {
    const dialects: Dialect[] = ['posix', 'standard', 'extended']
    const [posix, ...others] = dialects.map((dialect) => parseCron(expression, dialect))
    for (const other of others) expect(firstMatches(other)).toEqual(firstMatches(posix!))
  })

  it('keeps the text as it was written, and its dialect', () => {
    const cron = parseCron(' @Daily', 'extended')
    expect(cron.expression).toBe(' @Daily')
    expect(cron.dialect).toBe('extended')
    expect(cron.hasSeconds).toBe(false)
    expect(parseCron('* * * * *').dialect).toBe('standard')
  })

  it('holds every single value of every field', () => {
    for (let minute = 0; minute < 60; minute++) {
      const at = Date.UTC(2026, 0, 1, 0, minute)
      expect(parseCron(`${minute} 0 1 1 *`, 'posix').next(Date.UTC(2026, 0, 1) - 1)).toBe(at)
    }
    for (let hour = 0; hour < 24; hour++) {
      const at = Date.UTC(2026, 0, 1, hour)
      expect(parseCron(`0 ${hour} * * *`, 'posix').next(Date.UTC(2026, 0, 1) - 1)).toBe(at)
    }
    for (let day = 1; day <= 31; day++) {
      const at = Date.UTC(2026, 0, day)
      expect(parseCron(`0 0 ${day} * *`, 'posix').next(Date.UTC(2026, 0, 1) - 1)).toBe(at)
    }
    for (let month = 1; month <= 12; month++) {
      const at = Date.UTC(2026, month - 1, 1)
      expect(parseCron(`0 0 1 ${month} *`, 'posix').next(Date.UTC(2026, 0, 1) - 1)).toBe(at)
    }
    for (let weekday = 0; weekday <= 6; weekday++) {
      // 2026-02-01 is a Sunday.
      const at = Date.UTC(2026, 1, 1 + weekday)
      expect(parseCron(`0 0 * * ${weekday}`, 'posix').next(Date.UTC(2026, 1, 1) - 1)).toBe(at)
    }
  })
})

describe('day of month and day of week', () => {
  const daysOfMarch2026 = (expression: string): number[] =>
    matchesBetween(
      forwards,
      parseCron(expression),
      'UTC',
      '2026-03-01T00:00:00Z',
      '2026-03-31T23:59:59Z',
    ).map((text) => Number(text.slice(8, 10)))
  const everyDay = Array.from({ length: 31 }, (_, index) => index + 1)
  const oddDays = everyDay.filter((day) => day % 2 === 1)
  const evenWeekdays = everyDay.filter(
    (day) => new Date(Date.UTC(2026, 2, day)).getUTCDay() % 2 === 0,
  )

  it.each([
    ['0 0 * * *', 'neither restricted: every day', everyDay],
    ['0 0 * * 1', 'weekday only', [2, 9, 16, 23, 30]],
    ['0 0 15 * *', 'day of month only', [15]],
    ['0 0 1,15 * 1', 'either', [1, 2, 9, 15, 16, 23, 30]],
    ['0 0 1-31 * 1', 'all days written out are restricted too', everyDay],
    ['0 0 1 * 0-6', 'all weekdays written out are restricted too', everyDay],
    ['0 0 */2 * *', 'a step in the day of month alone', oddDays],
    ['0 0 */2 * 1', 'a step in the day of month counts as restricted', [...oddDays, 2, 16, 30]],
    ['0 0 * * */2', 'a step in the weekday alone', evenWeekdays],
    ['0 0 2 * */2', 'a step in the weekday counts as restricted', [...evenWeekdays, 2]],
    ['0 0 */1 * 1', 'even a step of 1', everyDay],
    ['0 0 31 * SUN', 'either, with names', [1, 8, 15, 22, 29, 31]],
    ['0 0 * 3 1', 'weekday only, in a month that is listed', [2, 9, 16, 23, 30]],
    ['0 0 15 3 *', 'day of month only, in a month that is listed', [15]],
    ['0 0 15 3 1', 'either, in a month that is listed', [2, 9, 15, 16, 23, 30]],
    ['0 0 13 4 1', 'never in a month that is not listed', []],
  ])('%s: %s', (expression, _, expected) => {
    const sorted = [...new Set(expected)].sort((a, b) => a - b)
    expect(daysOfMarch2026(expression)).toEqual(sorted)
  })
})

describe('a compiled expression', () => {
  const cron = parseCron('30 12 * * *')
  const noon = Date.UTC(2026, 5, 1, 12, 30)

  it('looks strictly after, but at or before', () => {
    expect(cron.next(noon - 1)).toBe(noon)
    expect(cron.next(noon)).toBe(noon + 86_400_000)
    expect(cron.previous(noon)).toBe(noon)
    expect(cron.previous(noon - 1)).toBe(noon - 86_400_000)
  })

  it('matches throughout its minute', () => {
    expect(cron.matches(noon - 1)).toBe(false)
    expect(cron.matches(noon)).toBe(true)
    expect(cron.matches(noon + 59_999)).toBe(true)
    expect(cron.matches(noon + 60_000)).toBe(false)
  })

  it('takes a zone by name, and UTC without one', () => {
    expect(cron.next(noon, 'Europe/Paris')).toBe(noon + 22 * 3_600_000)
    expect(cron.previous(noon, 'Europe/Paris')).toBe(noon - 2 * 3_600_000)
    expect(cron.matches(noon, 'UTC')).toBe(true)
    expect(cron.matches(noon, 'Asia/Tokyo')).toBe(false)
  })

  it('refuses unknown zones', () => {
    for (const zone of ['Nowhere', null, 5, {}] as string[]) {
      expect(() => cron.next(noon, zone)).toThrow(ConfigurationError)
      expect(() => cron.previous(noon, zone)).toThrow(ConfigurationError)
      expect(() => cron.matches(noon, zone)).toThrow(ConfigurationError)
    }
  })

  it.each([Number.NaN, 1.5, Number.POSITIVE_INFINITY, '5', null, undefined, 8.64e15 + 2, 5n, {}])(
    'refuses %s as an instant',
    (instant) => {
      const wrong = instant as number
      expect(() => cron.next(wrong)).toThrow(ValidationError)
      expect(() => cron.next(wrong)).toThrow(/^after must be a whole number/)
      expect(() => cron.previous(wrong)).toThrow(/^atOrBefore must be a whole number/)
      expect(() => cron.matches(wrong)).toThrow(/^t must be a whole number/)
    },
  )
})
