import { describe, expect, it } from 'vitest'
import { listOf, readTimeField, timeFields } from './time-field.js'

const [minute, , , , weekday] = timeFields as Required<typeof timeFields>
const first = (): number => 0
const last = (choices: number): number => choices - 1

describe('a random range of a crontab', () => {
  it.each([
    ['0~59', 0, 59],
    ['10~12', 10, 12],
    ['7~7', 7, 7],
    ['~', 0, 59],
    ['30~', 30, 59],
    ['~30', 0, 30],
  ])('%s is one number, from %i to %i', (text, lowest, highest) => {
    expect(readTimeField(text, minute!, first).values).toEqual([lowest])
    expect(readTimeField(text, minute!, last).values).toEqual([highest])
  })

  it.each([
    ['~/20', [0, 20, 40], [19, 39, 59]],
    ['10~30/10', [10, 20, 30], [19, 29]],
    // A step beyond the end of the range leaves one number, and never none.
    ['0~5/30', [0], [5]],
    ['0~5/6', [0], [5]],
    ['0~5/5', [0, 5], [4]],
    ['59~59/30', [59], [59]],
  ])('%s begins at a random offset that leaves a match', (text, lowest, highest) => {
    expect(readTimeField(text, minute!, first).values).toEqual(lowest)
    expect(readTimeField(text, minute!, last).values).toEqual(highest)
  })

  it('has Sunday once where the end of a weekday is left open', () => {
    expect(readTimeField('~', weekday!, last).values).toEqual([6])
    expect(readTimeField('0~7', weekday!, last).values).toEqual([0])
  })
})

describe('a list of values', () => {
  it.each([
    [[], ''],
    [[5], '5'],
    [[5, 6], '5,6'],
    [[5, 6, 7], '5-7'],
    [[1, 5, 6, 7, 9, 10], '1,5-7,9,10'],
  ])('%j is written as %j', (values, text) => {
    expect(listOf(values)).toBe(text)
  })
})
