import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DatabaseTime } from './database-time.js'

/** What the clocks of two machines may be apart after a time, as a part of it. */
const drift = 0.0002
/** Floating point, at these sizes. */
const rounding = 0.001

interface Exchange {
  /** By the stopwatch of the worker. */
  readonly sentAt: number
  readonly thereMs: number
  readonly backMs: number
}

const receivedAt = ({ sentAt, thereMs, backMs }: Exchange): number => sentAt + thereMs + backMs

/** Several may be under way at a time, and their answers overtake each other. */
const exchanges: fc.Arbitrary<Exchange[]> = fc
  .array(
    fc.record({
      sentAt: fc.double({ min: 0, max: 600_000, noNaN: true }),
      thereMs: fc.double({ min: 0, max: 500, noNaN: true }),
      backMs: fc.double({ min: 0, max: 500, noNaN: true }),
    }),
    { minLength: 1, maxLength: 40 },
  )
  .map((unsorted) => unsorted.toSorted((a, b) => receivedAt(a) - receivedAt(b)))

/** A database whose clock runs at its own rate from where it was set. */
const databaseClock = (offset: number, rate: number) => (elapsed: number) =>
  offset + elapsed * (1 + rate)

const clocks = fc
  .record({
    offset: fc.double({ min: -1e6, max: 1e6, noNaN: true }),
    rate: fc.double({ min: -drift, max: drift, noNaN: true }),
  })
  .map(({ offset, rate }) => databaseClock(offset, rate))

function watching() {
  const stopwatch = { elapsed: 0 }
  const time = new DatabaseTime(() => stopwatch.elapsed)
  const hear = (exchange: Exchange, clock: (elapsed: number) => number): void => {
    stopwatch.elapsed = receivedAt(exchange)
    const now = Math.floor(clock(exchange.sentAt + exchange.thereMs))
    time.observe(now, exchange.sentAt, stopwatch.elapsed)
  }
  return { stopwatch, time, hear }
}

describe('the time at the database', () => {
  it('is not known before the first answer', () => {
    const { time } = watching()
    expect(time.earliest).toBe(Number.NEGATIVE_INFINITY)
    expect(time.latest).toBe(Number.POSITIVE_INFINITY)
  })

  it('lies between the bounds, but for what drift adds to the lower one since an answer', () => {
    fc.assert(
      fc.property(
        exchanges,
        clocks,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (all, clock, p) => {
          const { stopwatch, time, hear } = watching()
          const longestMs = Math.max(...all.map(({ thereMs, backMs }) => thereMs + backMs))
          all.forEach((exchange, index) => {
            hear(exchange, clock)
            const heardAt = stopwatch.elapsed
            const nextAt = index + 1 < all.length ? receivedAt(all[index + 1]!) : heardAt + 60_000
            stopwatch.elapsed += p * (nextAt - heardAt)
            const now = clock(stopwatch.elapsed)
            const drifted = drift * (longestMs + stopwatch.elapsed - heardAt)
            expect(time.earliest).toBeLessThanOrEqual(now + drifted + rounding)
            expect(time.latest).toBeGreaterThanOrEqual(now - rounding)
          })
        },
      ),
      { numRuns: 2_000, seed: 11 },
    )
  })

  it('is known as well as the best of all answers tells, widened by drift', () => {
    fc.assert(
      fc.property(exchanges, fc.double({ min: 0, max: 1, noNaN: true }), (all, offset) => {
        const { stopwatch, time, hear } = watching()
        all.forEach((exchange, index) => {
          hear(exchange, databaseClock(offset, 0))
          for (const { sentAt, thereMs, backMs } of all.slice(0, index + 1)) {
            const age = stopwatch.elapsed - sentAt
            const most = thereMs + backMs + 1 + 2 * drift * age + rounding
            expect(time.latest - time.earliest).toBeLessThanOrEqual(most)
          }
        })
      }),
      { numRuns: 1_000, seed: 12 },
    )
  })

  it('is known for certain where two answers agree in one instant only', () => {
    const time = new DatabaseTime(() => 0)
    time.observe(1_000, 0, 0)
    time.observe(1_001, 0, 0)
    expect([time.earliest, time.latest]).toEqual([1_001, 1_001])
  })

  it('goes on with the stopwatch between answers', () => {
    const { stopwatch, time, hear } = watching()
    hear({ sentAt: 10, thereMs: 4, backMs: 6 }, databaseClock(1_000, 0))
    expect([time.earliest, time.latest]).toEqual([1_014, 1_025 + 0.002])
    stopwatch.elapsed += 500
    expect(time.earliest).toBe(1_514)
    expect(time.latest).toBeCloseTo(1_525 + 0.102)
  })

  it('keeps the narrow bounds of a fast answer when a slow one follows', () => {
    const { time, hear } = watching()
    const clock = databaseClock(0, 0)
    hear({ sentAt: 100, thereMs: 1, backMs: 1 }, clock)
    hear({ sentAt: 200, thereMs: 400, backMs: 400 }, clock)
    expect(time.earliest).toBeCloseTo(999, 0)
    expect(time.latest).toBeCloseTo(1_002, 0)
  })

  it('is found again with the first answer after the clock was set', () => {
    const step = fc
      .double({ min: 2_000, max: 1e9, noNaN: true })
      .chain((ms) => fc.constantFrom(ms, -ms))
    fc.assert(
      fc.property(exchanges, step, (all, ms) => {
        const { stopwatch, time, hear } = watching()
        for (const exchange of all) hear(exchange, databaseClock(0, 0))
        const sentAt = stopwatch.elapsed + 1_000
        hear({ sentAt, thereMs: 20, backMs: 30 }, databaseClock(ms, 0))
        const now = ms + stopwatch.elapsed
        expect(time.earliest).toBeLessThanOrEqual(now + rounding)
        expect(time.latest).toBeGreaterThanOrEqual(now - rounding)
        expect(time.latest - time.earliest).toBeLessThanOrEqual(51 + 100 * drift + rounding)
      }),
      { numRuns: 500, seed: 13 },
    )
  })
})
