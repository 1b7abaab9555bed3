import { describe, expect, it } from 'vitest'
import { learnLevel, levelRate, levels, newLevel, quietOdds } from './level.js'

const minuteMs = 60_000
const slowestPerMs = 1 / (30_000 * 2 ** 14.5)
const rates = Array.from({ length: levels }, (_, index) => slowestPerMs * 2 ** (index / 2))

describe('the level', () => {
  it('follows the rule of Bayes over rates from one a week to one in half a minute', () => {
    const weights = newLevel()
    let oracle = rates.map(() => 1 / levels)
    for (let look = 0; look < 200; look++) {
      const gapMs = (1 + ((look * 7) % 90)) * minuteMs
      const changed = look % 3 === 0
      const odds = quietOdds(weights, gapMs)
      const quiet = rates.map((rate) => Math.exp(-rate * gapMs))
      const expected = quiet.reduce((sum, each, index) => sum + each * oracle[index]!, 0)
      expect(odds).toBeCloseTo(expected, 4)
      learnLevel(weights, changed)
      const products = oracle.map(
        (each, index) => each * (changed ? 1 - quiet[index]! : quiet[index]!),
      )
      const sum = products.reduce((total, each) => total + each, 0)
      oracle = products.map((each) => (0.99 * each) / sum + 0.01 / levels)
      expect(weights.reduce((total, each) => total + each, 0)).toBeCloseTo(1, 5)
    }
    const root = oracle.reduce((sum, each, index) => sum + each * Math.sqrt(rates[index]!), 0)
    expect(levelRate(weights) / (root * root)).toBeCloseTo(1, 3)
  })

  it('goes up after changes, and down while nothing changes', () => {
    const weights = newLevel()
    const look = (changed: boolean): number => {
      quietOdds(weights, 5 * minuteMs)
      learnLevel(weights, changed)
      return levelRate(weights)
    }
    for (let quiet = 0; quiet < 100; quiet++) look(false)
    const before = levelRate(weights)
    for (let change = 0; change < 5; change++) look(true)
    const burst = levelRate(weights)
    expect(burst).toBeGreaterThan(20 * before)
    for (let quiet = 0; quiet < 100; quiet++) look(false)
    expect(levelRate(weights)).toBeLessThan(1.5 * before)
  })

  it('survives a gap in which no rate leaves any odds of quiet', () => {
    const weights = newLevel()
    quietOdds(weights, 1e15)
    learnLevel(weights, false)
    expect(Math.max(...weights)).toBeCloseTo(1 / levels, 6)
    expect(Number.isFinite(levelRate(weights))).toBe(true)
  })
})
