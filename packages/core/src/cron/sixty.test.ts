import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Sixty } from './sixty.js'
import { TimeOfDay } from './time-of-day.js'

const members = (most: number) =>
  fc.uniqueArray(fc.integer({ min: 0, max: most }), { minLength: 1, maxLength: 6 })

function sixtyOf(values: readonly number[]): Sixty {
  let [low, high] = [0, 0]
  for (const value of values) {
    if (value < 32) low |= 1 << value
    else high |= 1 << (value - 32)
  }
  return new Sixty(low, high)
}

describe('a set of numbers below sixty', () => {
  it('searches like a sorted list', () => {
    fc.assert(
      fc.property(members(59), (values) => {
        const sixty = sixtyOf(values)
        const sorted = values.toSorted((a, b) => a - b)
        expect([sixty.first, sixty.last]).toEqual([sorted[0], sorted.at(-1)])
        for (let value = 0; value < 60; value++) {
          expect(sixty.has(value)).toBe(sorted.includes(value))
          expect(sixty.atOrAfter(value)).toBe(sorted.find((each) => each >= value) ?? -1)
          expect(sixty.atOrBefore(value)).toBe(sorted.findLast((each) => each <= value) ?? -1)
        }
        expect(sixty.atOrAfter(60)).toBe(-1)
        expect(sixty.atOrBefore(-1)).toBe(-1)
      }),
      { numRuns: 500, seed: 60 },
    )
  })
})

describe('the matching seconds of a day', () => {
  it('are searched like a sorted list', () => {
    const second = fc.oneof(fc.constant([0]), members(59))
    fc.assert(
      fc.property(members(23), members(59), second, (hours, minutes, seconds) => {
        const bits = hours.reduce((set, hour) => set | (1 << hour), 0)
        const time = new TimeOfDay(bits, sixtyOf(minutes), sixtyOf(seconds))
        const sorted = hours
          .flatMap((h) => minutes.flatMap((m) => seconds.map((s) => h * 3600 + m * 60 + s)))
          .sort((a, b) => a - b)
        const tried = sorted.flatMap((at) => [at - 1, at, at + 1, at + 59, at - 59, at + 3600])
        for (const at of [0, 86_399, ...tried].filter((each) => each >= 0 && each < 86_400)) {
          expect(time.has(at)).toBe(sorted.includes(at))
          expect(time.atOrAfter(at)).toBe(sorted.find((each) => each >= at) ?? -1)
          expect(time.atOrBefore(at)).toBe(sorted.findLast((each) => each <= at) ?? -1)
        }
        const gaps = sorted.slice(1).map((at, index) => at - sorted[index]!)
        expect([time.first, time.last]).toEqual([sorted[0], sorted.at(-1)])
        expect(time.smallestGap()).toBe(Math.min(...gaps))
      }),
      { numRuns: 150, seed: 60 },
    )
  })
})
