import { describe, expect, it } from 'vitest'
import {
  binOf,
  countChange,
  fade,
  lineOf,
  newProfile,
  type ProfileLine,
  profileBins,
  profiles,
} from './profile.js'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const [hour, day, week] = profiles as [
  (typeof profiles)[number],
  (typeof profiles)[number],
  (typeof profiles)[number],
]

function rateAt(
  shape: typeof hour,
  sums: ReturnType<typeof newProfile>,
  counts: Float32Array,
  at: number,
) {
  const line: ProfileLine = { slope: 0, floor: 0 }
  lineOf(shape, sums, 25 * minuteMs, line)
  return counts[binOf(shape, at)]! * line.slope + line.floor
}

describe('a profile', () => {
  it.each([
    ['hour', hour, 17 * minuteMs, 17],
    ['day', day, 6.5 * hourMs, 60 + 13],
    ['week', week, 100 * hourMs, 108 + 100],
  ])('of the %s folds instants into bins of its own', (_, shape, within, bin) => {
    for (const period of [0, 1, 1000]) {
      expect(binOf(shape, period * shape.periodMs + within)).toBe(bin)
      expect(binOf(shape, period * shape.periodMs + within + shape.periodMs / shape.bins - 1)).toBe(
        bin,
      )
    }
  })

  it('has bins that do not overlap with those of others', () => {
    expect(hour.at + hour.bins).toBe(day.at)
    expect(day.at + day.bins).toBe(week.at)
    expect(week.at + week.bins).toBe(profileBins)
  })

  it('expects what comes each hour where it came, and little elsewhere', () => {
    const sums = newProfile()
    const counts = new Float32Array(profileBins)
    for (let past = 0; past < 48; past++) {
      countChange(hour, sums, counts, past * hourMs + 20.5 * minuteMs, 1)
      fade(hour, sums, counts, hourMs)
    }
    const there = rateAt(hour, sums, counts, 1000 * hourMs + 20 * minuteMs)
    const elsewhere = rateAt(hour, sums, counts, 1000 * hourMs + 50 * minuteMs)
    // Half of one change an hour is in the bin of a minute, a quarter in each neighbour.
    expect(there * minuteMs).toBeCloseTo(0.5, 1)
    expect(rateAt(hour, sums, counts, 19.5 * minuteMs) * minuteMs).toBeCloseTo(0.25, 1)
    expect(elsewhere * 100).toBeLessThan(there)
  })

  it('expects nothing sooner or later before it has seen a change', () => {
    const counts = new Float32Array(profileBins)
    const rates = [0, 10, 59].map((minute) => rateAt(hour, newProfile(), counts, minute * minuteMs))
    expect(new Set(rates).size).toBe(1)
    expect(rates[0]).toBeGreaterThan(0)
  })

  it('forgets: an old habit gives way to a new one', () => {
    const sums = newProfile()
    const counts = new Float32Array(profileBins)
    const live = (minute: number): void => {
      countChange(hour, sums, counts, (minute + 0.5) * minuteMs, 1)
      fade(hour, sums, counts, hourMs)
    }
    for (let past = 0; past < 24 * 10; past++) live(10)
    for (let past = 0; past < 24 * 20; past++) live(40)
    expect(rateAt(hour, sums, counts, 40 * minuteMs)).toBeGreaterThan(
      20 * rateAt(hour, sums, counts, 10 * minuteMs),
    )
  })

  it('keeps its rates when its unit begins again', () => {
    const sums = newProfile()
    const counts = new Float32Array(profileBins)
    sums.unit = 9.9e19
    countChange(hour, sums, counts, 5.5 * minuteMs, 3)
    sums.exposureMs = 10 * hourMs
    const before = rateAt(hour, sums, counts, 5 * minuteMs)
    fade(hour, sums, counts, 3 * hourMs)
    expect(sums.unit).toBe(1)
    const faded = { ...sums, exposureMs: 10 * hourMs, changes: 3 }
    expect(rateAt(hour, faded, counts, 5 * minuteMs) / before).toBeCloseTo(1 / 1.025, 2)
  })
})
