import { beforeAll, describe, expect, it } from 'vitest'
import { actualRuns, expectedRuns, type Runs, type Window } from './cron-oracle.js'

const utc = (start: string, days: number): Window => ({
  start: `${start}T00:00:00Z`,
  days,
  timeZone: 'UTC',
  offsetMinutes: 0,
})

// Sunday to Sunday, the ends of short and long months, the 15th, a leap day, a new year.
const windows = [
  utc('2027-12-31', 3),
  utc('2028-01-31', 2),
  utc('2028-02-13', 4),
  utc('2028-02-28', 3),
  utc('2028-04-30', 2),
  utc('2028-05-14', 3),
]

const truthTable: readonly [days: string, expression: string][] = [
  ['every day', '0 0 * * *'],
  ['every Monday', '0 0 * * 1'],
  ['the 15th of every month', '0 0 15 * *'],
  ['the 1st, the 15th and every Monday', '0 0 1,15 * 1'],
]

const others: readonly string[] = [
  '0 0 1-31 * 1',
  '0 0 1 * 0-6',
  '0 0 1-31 * 0-6',
  '0 0 31 * *',
  '0 0 30,31 * *',
  '0 0 29 2 *',
  '0 0 29-31 2,4 *',
  '0 0 31 * 2',
  '0 0 30 2 1',
  '0 0 1 1 *',
  '0 0 1 1 6',
  '0 0 * 2 3',
  '0 0 14 2 *',
  '0 12 14 2 *',
  '15 3 * * 1-5',
  '0 0 13 * 5',
]

const expressions = [...truthTable.map(([, expression]) => expression), ...others]

describe('day of month and day of week', () => {
  const actual: Runs[] = []
  const expected: Runs[] = []
  const of = (runs: readonly Runs[], expression: string): string[] =>
    runs.flatMap((some) => some.get(expression)!)

  beforeAll(async () => {
    for (const window of windows) {
      expected.push(expectedRuns(window, expressions))
      actual.push(await actualRuns(window, expressions))
    }
  })

  it.each(truthTable)('of the truth table: runs on %s for %j', (_days, expression) => {
    expect(of(expected, expression)).not.toHaveLength(0)
    expect(of(actual, expression)).toEqual(of(expected, expression))
  })

  it('are both asked when both are restricted, and either is enough', () => {
    expect(of(actual, '0 0 1,15 * 1')).toEqual([
      '2028-01-01T00:00:00Z',
      '2028-01-31T00:00:00Z',
      '2028-02-01T00:00:00Z',
      '2028-02-14T00:00:00Z',
      '2028-02-15T00:00:00Z',
      '2028-02-28T00:00:00Z',
      '2028-03-01T00:00:00Z',
      '2028-05-01T00:00:00Z',
      '2028-05-15T00:00:00Z',
    ])
  })

  it('1-31 and 0-6 count as restricted', () => {
    const everyDay = of(actual, '0 0 * * *')
    expect(of(actual, '0 0 1-31 * 1')).toEqual(everyDay)
    expect(of(actual, '0 0 1 * 0-6')).toEqual(everyDay)
    expect(of(actual, '0 0 1-31 * 0-6')).toEqual(everyDay)
  })

  it.each(others)('%j runs on its days and on no others', (expression) => {
    expect(of(actual, expression)).toEqual(of(expected, expression))
  })
})
