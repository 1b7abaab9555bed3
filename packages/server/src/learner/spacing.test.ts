import { describe, expect, it } from 'vitest'
import { type Band, type Look, learn } from './learner.js'
import { type Memory, newMemory } from './memory.js'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const band: Band = { baselineMs: 5 * minuteMs, minMs: 30_000, maxMs: hourMs, budget: 1 }

/** Looks until the end, and answers when. `changes` are instants in order. */
function looks(
  memory: Memory,
  changes: readonly number[],
  end: number,
  use: Band = band,
): number[] {
  const found: number[] = []
  let next = 0
  for (let at = memory.since + use.baselineMs; at < end; ) {
    let changed = false
    for (; next < changes.length && changes[next]! <= at; next++) changed = true
    found.push(at)
    at += Math.round(learn(memory, ok(at, changed), use).gapMs)
  }
  return found
}

const ok = (at: number, changed: boolean): Look => ({ at, kind: 'ok', changed, retryAfterMs: null })

const every = (periodMs: number, phase: number, end: number): number[] =>
  Array.from(
    { length: Math.floor((end - phase) / periodMs) },
    (_, index) => phase + index * periodMs,
  )

/** The mean time from a change to the look that sees it, from the fifth day on. */
function delayOf(at: readonly number[], changes: readonly number[]): number {
  const delays = changes
    .filter((change) => change > 4 * dayMs)
    .flatMap((change) => {
      const seen = at.find((look) => look >= change)
      return seen === undefined ? [] : [seen - change]
    })
  return delays.reduce((sum, delay) => sum + delay, 0) / delays.length
}

describe('the gaps', () => {
  it('stay close to those of the baseline while nothing was learned', () => {
    const at = looks(newMemory(band.baselineMs, 0), [], 7 * dayMs)
    for (let index = 1; index < at.length; index++) {
      const part = (at[index]! - at[index - 1]!) / band.baselineMs
      expect(part).toBeGreaterThan(0.9)
      expect(part).toBeLessThan(1.1)
    }
    expect(at.length / (7 * 288)).toBeCloseTo(1, 1)
  })

  it('gather where something is published each hour', () => {
    const end = 14 * dayMs
    const changes = every(hourMs, 17.3 * minuteMs, end)
    const at = looks(newMemory(band.baselineMs, 0), changes, end)
    const counted = at.filter((look) => look > 4 * dayMs)
    expect(counted.length / (10 * 288)).toBeGreaterThan(0.9)
    expect(counted.length / (10 * 288)).toBeLessThan(1.02)
    expect(delayOf(at, changes)).toBeLessThan(0.15 * (band.baselineMs / 2))
  })

  it('gather where something is published each day', () => {
    const end = 21 * dayMs
    const changes = every(dayMs, 9.4 * hourMs, end)
    const at = looks(newMemory(band.baselineMs, 0), changes, end)
    expect(at.length / (21 * 288)).toBeCloseTo(1, 1)
    expect(delayOf(at, changes)).toBeLessThan(0.2 * (band.baselineMs / 2))
  })

  it('gather after a change where changes come in bursts', () => {
    const end = 14 * dayMs
    const changes = every(12 * hourMs, 3.3 * hourMs, end).flatMap((first, index) =>
      every(
        2 * minuteMs,
        first + (index % 5) * 47 * minuteMs,
        first + (index % 5) * 47 * minuteMs + hourMs,
      ),
    )
    const at = looks(newMemory(band.baselineMs, 0), changes, end)
    expect(at.length / (14 * 288)).toBeCloseTo(1, 1)
    expect(delayOf(at, changes)).toBeLessThan(0.6 * (band.baselineMs / 2))
  })

  it.each([0.25, 0.5, 1])(
    'make %d of the calls of the baseline where the budget says so',
    (budget) => {
      const end = 14 * dayMs
      const at = looks(newMemory(band.baselineMs, 0), every(hourMs, 17.3 * minuteMs, end), end, {
        ...band,
        budget,
      })
      expect(at.length / (14 * 288)).toBeGreaterThan(0.88 * budget)
      expect(at.length / (14 * 288)).toBeLessThan(1.05 * budget)
    },
  )

  it('never leave the band, whatever is answered', () => {
    for (let seed = 1; seed <= 200; seed++) {
      const memory = newMemory(band.baselineMs, 0)
      let state = seed
      const random = (): number => {
        state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
        return state / 2 ** 32
      }
      const minMs = Math.ceil(1 + random() * 10 * minuteMs)
      const use = { ...band, minMs, maxMs: minMs + random() * 2 * hourMs, budget: 0.1 + random() }
      for (let at = 0, look = 0; look < 300; look++) {
        const kind = random() < 0.7 ? 'ok' : random() < 0.5 ? 'down' : 'limited'
        const retryAfterMs = random() < 0.2 ? random() * dayMs : null
        const { gapMs } = learn(memory, { at, kind, changed: random() < 0.3, retryAfterMs }, use)
        expect(gapMs).toBeGreaterThanOrEqual(use.minMs)
        expect(gapMs).toBeLessThanOrEqual(use.maxMs)
        at += Math.round(gapMs) + Math.floor(random() * minuteMs)
      }
    }
  })

  it('get on after a gap of months', () => {
    const memory = newMemory(band.baselineMs, 0)
    looks(memory, every(hourMs, 17.3 * minuteMs, dayMs), dayMs)
    const { gapMs } = learn(memory, ok(400 * dayMs, true), band)
    expect(gapMs).toBeGreaterThanOrEqual(band.minMs)
    expect(Number.isFinite(memory.slant)).toBe(true)
    expect([...memory.views, ...memory.counts].every(Number.isFinite)).toBe(true)
  })

  it('do not mind a clock that was set back', () => {
    const memory = newMemory(band.baselineMs, 0)
    looks(memory, every(hourMs, 17.3 * minuteMs, dayMs), dayMs)
    const { gapMs } = learn(memory, ok(dayMs / 2, true), band)
    expect(gapMs).toBeGreaterThanOrEqual(band.minMs)
    expect(memory.lastSeenAt).toBeGreaterThan(dayMs / 2)
  })
})
