import { beforeAll, describe, expect, it } from 'vitest'
import { actualRuns, expectedRuns, type Runs, type Window } from './cron-oracle.js'

// Two days around the end of a leap February, in a zone half an hour off.
const window: Window = {
  start: '2028-02-28T18:30:00Z',
  days: 2,
  timeZone: 'Asia/Kolkata',
  offsetMinutes: 330,
}

const groups: Readonly<Record<string, readonly string[]>> = {
  'an asterisk is every value': ['* * * * *', '0 * * * *', '* 0 * * *', '* * 29 * *', '* * * 3 *'],
  'a number is one value': ['0 0 * * *', '59 23 * * *', '5 4 * * *', '30 12 1 * *', '17 6 * 2 *'],
  'a list is each of its elements': [
    '0,30 * * * *',
    '0,15,30,45 * * * *',
    '15,30,45,0 * * * *',
    '59,0 0,23 * * *',
    '1,1,1 * * * *',
    '0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19 3 * * *',
    '7 1,3,5,7,9,11,13,15,17,19,21,23 * * *',
    '0 0 1,29 * *',
    '0 0 * 2,3 *',
    '0 0 * * 2,3',
  ],
  'a range is all from its start to its end': [
    '0-59 * * * *',
    '10-20 * * * *',
    '55-59 23 * * *',
    '0 9-17 * * *',
    '0 0-23 * * *',
    '0 0 28-31 * *',
    '0 0 * 2-3 *',
    '0 0 * * 1-5',
    '5-5 * * * *',
    '0 0 1-1 * *',
  ],
  'lists and ranges mix': [
    '0,10-12,59 * * * *',
    '1-3,2-4 * * * *',
    '0 0-2,4,22-23 * * *',
    '0 6 1,15-29 * *',
    '0 6 * 1-2,4 *',
    '0 6 * * 0,2-3,6',
    '0-4,5-9,10-14 1-2,13-14 * * *',
  ],
  'each field reaches from its lowest to its highest value': [
    '0 * * * *',
    '59 * * * *',
    '* 0 * * *',
    '* 23 * * *',
    '0 0 1 * *',
    '0 0 31 * *',
    '0 0 * 1 *',
    '0 0 * 12 *',
    '0 0 * * 0',
    '0 0 * * 6',
  ],
  'zeros may lead a number': ['00 00 * * *', '007 * * * *', '0 012 01 03 *', '0 0 * * 02'],
  'spaces and tabs separate and surround': [
    ' 0 0 * * *',
    '0 0 * * * ',
    '0\t0\t*\t*\t*',
    '  0 \t 6   *\t\t*  * \t',
    '\t30 6 * * *',
  ],
  'weekdays count from Sunday': [
    '0 8 * * 0',
    '0 8 * * 1',
    '0 8 * * 2',
    '0 8 * * 3',
    '0 8 * * 4',
    '0 8 * * 5',
    '0 8 * * 6',
  ],
  'the examples of the specification': [
    '0 0 * * *',
    '15 3 * * 1-5',
    '0,30 * * * *',
    '0 12 14 2 *',
    '0 0 * * 1',
    '0 0 15 * *',
    '0 0 1,15 * 1',
  ],
}

const expressions = [...new Set(Object.values(groups).flat())]

describe('valid expressions', () => {
  let actual: Runs
  let expected: Runs
  beforeAll(async () => {
    expected = expectedRuns(window, expressions)
    actual = await actualRuns(window, expressions)
  })

  it('stand in the table in at least 60 forms, most of which match in the time looked at', () => {
    expect(expressions.length).toBeGreaterThanOrEqual(60)
    const matching = [...expected.values()].filter((runs) => runs.length > 0)
    expect(matching.length).toBeGreaterThan(expressions.length / 2)
  })

  describe.each(Object.entries(groups))('%s', (_rule, members) => {
    it.each(members)('%j runs in its minutes and in no others', (expression) => {
      expect(actual.get(expression)).toEqual(expected.get(expression))
    })
  })
})
