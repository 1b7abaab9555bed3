import { describe, expect, it } from 'vitest'
import { naiveZoneNames } from '../../test/naive-zone.js'
import { Random } from '../../test/random.js'
import { formatInstant, latestInstant } from '../calendar/instant.js'
import type { Dialect } from './dialect.js'
import { parseCron } from './parse.js'

const utc = (year: number, month: number, day: number, ...time: number[]): number => {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  date.setUTCHours(time[0] ?? 0, time[1] ?? 0, time[2] ?? 0, time[3] ?? 0)
  return date.getTime()
}

/** Each instant is the next of the one before it and the previous of the one after it. */
function expectNeighbours(expression: string, instants: number[], dialect?: Dialect): void {
  const cron = parseCron(expression, dialect)
  for (let index = 1; index < instants.length; index++) {
    const [earlier, later] = [instants[index - 1]!, instants[index]!]
    const label = `${expression} between ${formatInstant(earlier)} and ${formatInstant(later)}`
    expect(cron.next(earlier), label).toBe(later)
    expect(cron.next(later - 1), label).toBe(later)
    expect(cron.previous(later), label).toBe(later)
    expect(cron.previous(later - 1), label).toBe(earlier)
    expect(cron.matches(later), label).toBe(true)
  }
}

describe('29 February', () => {
  it.each([
    [2096, 2104],
    [1896, 1904],
    [2196, 2204],
    [1796, 1804],
    [-104, -96],
  ])('is passed over when the century is no leap year, from %i to %i', (from, to) => {
    expectNeighbours('0 0 29 2 *', [utc(from, 2, 29), utc(to, 2, 29), utc(to + 4, 2, 29)])
  })

  it.each([2000, 2400, 1600, 0, -400])('is kept in the leap year %i', (year) => {
    const days = [utc(year - 4, 2, 29), utc(year, 2, 29), utc(year + 4, 2, 29)]
    expectNeighbours('0 0 29 2 *', days)
  })

  const mondays: number[] = []
  for (let year = 1200; year <= 2800; year++) {
    const day = utc(year, 2, 29)
    const isReal = new Date(day).getUTCDate() === 29
    if (isReal && new Date(day).getUTCDay() === 1) mondays.push(day)
  }

  it('is found on a Monday by 1#5 in February, across centuries', () => {
    expect(mondays.map(formatInstant)).toContain('2044-02-29T00:00:00Z')
    expectNeighbours('0 0 * 2 1#5', mondays, 'extended')
  })

  it('is found on a Monday forty years later when a century is no leap year', () => {
    expectNeighbours('0 0 ? FEB MON#5', [utc(2072, 2, 29), utc(2112, 2, 29)], 'extended')
  })

  it('is found again in the next cycle from its very last day', () => {
    const cron = parseCron('0 0 29 2 *')
    expect(cron.next(utc(2399, 12, 31, 23, 59))).toBe(utc(2400, 2, 29))
    expect(cron.previous(utc(2400, 2, 28))).toBe(utc(2396, 2, 29))
  })
})

describe('ends of months and years', () => {
  it('visits the 31st of seven months', () => {
    const days = [1, 3, 5, 7, 8, 10, 12].map((month) => utc(2026, month, 31))
    expectNeighbours('0 0 31 * *', [utc(2025, 12, 31), ...days, utc(2027, 1, 31)])
  })

  it('visits the 30th of eleven months', () => {
    const months = [1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
    expectNeighbours('0 0 30 * *', [...months.map((month) => utc(2026, month, 30))])
  })

  it.each([1600, 1900, 1970, 2000, 2001, 2100, 2400, 2401, 2800])(
    'passes from the year before into %i',
    (year) => {
      expectNeighbours('59 23 31 12 *', [utc(year - 1, 12, 31, 23, 59), utc(year, 12, 31, 23, 59)])
      expectNeighbours('0 0 1 1 *', [utc(year - 1, 1, 1), utc(year, 1, 1), utc(year + 1, 1, 1)])
      expectNeighbours('59,0 0,23 31,1 1,12 *', [
        utc(year - 1, 12, 31, 23, 59),
        utc(year, 1, 1, 0, 0),
        utc(year, 1, 1, 0, 59),
      ])
      expectNeighbours('* * * * *', [utc(year - 1, 12, 31, 23, 59), utc(year, 1, 1)])
    },
  )

  it('rounds down to the minute before 1970 as after it', () => {
    const cron = parseCron('* * * * *')
    expect(cron.next(-1)).toBe(0)
    expect(cron.next(-60_000)).toBe(0)
    expect(cron.next(-60_001)).toBe(-60_000)
    expect(cron.previous(-1)).toBe(-60_000)
    expect(cron.previous(-60_000)).toBe(-60_000)
    expect(cron.previous(-60_001)).toBe(-120_000)
    expect(cron.previous(-0)).toBe(0)
    expect(cron.previous(999)).toBe(0)
  })
})

describe('the limits of dates', () => {
  const everyMinute = parseCron('* * * * *')

  it('has no match after the last instant or before the first', () => {
    expect(everyMinute.next(latestInstant)).toBeNull()
    expect(everyMinute.next(latestInstant - 1)).toBe(latestInstant)
    expect(everyMinute.previous(-latestInstant)).toBe(-latestInstant)
    expect(parseCron('1 0 * * *').previous(-latestInstant)).toBeNull()
    expect(parseCron('1 0 * * *').next(latestInstant - 1)).toBeNull()
  })

  it.each(['Asia/Tokyo', 'America/New_York', 'Pacific/Apia'])('stays inside in %s', (name) => {
    expect(everyMinute.next(latestInstant, name)).toBeNull()
    expect(everyMinute.next(latestInstant - 1, name)).toBe(latestInstant)
    expect(parseCron('0 0 29 2 *').next(latestInstant - 1, name)).toBeNull()
    expect(parseCron('0 0 29 2 *').previous(1 - latestInstant, name)).toBeNull()
    const first = everyMinute.next(-latestInstant, name)!
    expect(first - -latestInstant).toBeLessThanOrEqual(60_000)
    expect(everyMinute.previous(first, name)).toBe(first)
  })

  it('tells midnight from the millisecond before it, on any day', () => {
    const cron = parseCron('0 0 * * *')
    const random = new Random(8)
    const msPerDay = 86_400_000
    const farthest = latestInstant / msPerDay - 1
    const days = [0, -1, 1, farthest, -farthest]
    while (days.length < 20_000) days.push(random.between(-farthest, farthest))
    const wrong = days.filter((day) => {
      const midnight = day * msPerDay
      return (
        cron.next(midnight - 1) !== midnight ||
        cron.next(midnight) !== midnight + msPerDay ||
        cron.previous(midnight) !== midnight ||
        cron.previous(midnight - 1) !== midnight - msPerDay
      )
    })
    expect(wrong).toEqual([])
  })

  it('finds 29 February near both ends', () => {
    const cron = parseCron('0 0 29 2 *')
    expect(cron.previous(latestInstant)).toBe(utc(275_760, 2, 29))
    expect(cron.next(-latestInstant)).toBe(utc(-271_820, 2, 29))
  })
})

describe('an expression that no date can match', () => {
  const impossible: [expression: string, dialect: Dialect][] = [
    ['0 0 31 2 *', 'standard'],
    ['0 0 30 2 *', 'posix'],
    ['* * 30,31 FEB *', 'standard'],
    ['0 0 31 4 *', 'standard'],
    ['0 0 31 2,4,6,9,11 *', 'posix'],
    ['0 0 31 4-6/2 *', 'standard'],
    ['0 0 30W 2 ?', 'extended'],
    ['* * * 31W 11 ?', 'extended'],
  ]

  it.each(impossible)('%s in %s has no next and no previous', (expression, dialect) => {
    const cron = parseCron(expression, dialect)
    expect(cron.possible).toBe(false)
    const random = new Random(1)
    const zones = naiveZoneNames()
    const instants = [0, latestInstant, -latestInstant, utc(2000, 1, 1), utc(2400, 1, 1) - 1]
    for (let count = 0; count < 200; count++) {
      instants.push(random.between(-latestInstant, latestInstant))
    }
    for (const instant of instants) {
      const zone = random.pick(zones)
      expect(cron.next(instant, zone)).toBeNull()
      expect(cron.previous(instant, zone)).toBeNull()
      expect(cron.matches(instant, zone)).toBe(false)
    }
  })

  it.each([
    ['0 0 29 2 *', 'posix'],
    ['0 0 */30 2 *', 'standard'],
    ['0 0 31 2 1', 'posix'],
    ['0 0 ? 2 1#5', 'extended'],
    ['0 0 29W 2 ?', 'extended'],
    ['0 0 31 2 MONL', 'extended'],
    ['0 0 31 1-3 *', 'posix'],
  ] as [string, Dialect][])('%s in %s is possible', (expression, dialect) => {
    const cron = parseCron(expression, dialect)
    expect(cron.possible).toBe(true)
    expect(cron.next(0)).toBeGreaterThan(0)
    expect(cron.previous(0)).toBeLessThanOrEqual(0)
  })
})
