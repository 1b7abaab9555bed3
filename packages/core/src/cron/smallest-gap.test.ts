import { describe, expect, it } from 'vitest'
import { Random } from '../../test/random.js'
import { randomExtended, randomStandard } from '../../test/random-expressions.js'
import type { Dialect } from './dialect.js'
import { parseCron } from './parse.js'

const minute = 60
const hour = 3600
const day = 86_400

describe('the smallest gap between two matches', () => {
  const gaps: [expression: string, seconds: number, dialect?: Dialect][] = [
    ['* * * * *', minute],
    ['*/5 * * * *', 5 * minute],
    ['*/7 * * * *', 4 * minute],
    ['0,59 * * * *', minute],
    ['0 * * * *', hour],
    ['30 8,17 * * *', 9 * hour],
    ['0 3,22 * * *', 5 * hour],
    ['0 3,22 * * 1', 19 * hour],
    ['0 3,22 * * 1,2', 5 * hour],
    ['0 0 * * *', day],
    ['0 0,23 1 * *', 23 * hour],
    ['0 0 * * 1', 7 * day],
    ['0 0 * * 1,3', 2 * day],
    ['0 0 * * 6,7', day],
    ['0 0 1 * *', 28 * day],
    ['0 0 31 * *', 31 * day],
    ['0 0 30 * *', 30 * day],
    ['0 0 1,31 * *', day],
    ['0 0 1,29 * *', day],
    ['0 0 1 1 *', 365 * day],
    ['0 0 29 2 *', 1461 * day],
    ['0 0 28 2 *', 365 * day],
    ['0 0 1,15 * 1', day],
    ['0 0 31 2 *', Number.POSITIVE_INFINITY],
    ['* * * * * *', 1, 'extended'],
    ['*/20 * * * * *', 20, 'extended'],
    ['59 59 23 * * *', day, 'extended'],
    ['0,59 0,59 0,23 * * *', 1, 'extended'],
    ['0 0 L * ?', 28 * day, 'extended'],
    ['0 0 L,1 * ?', day, 'extended'],
    ['0 0 ? * 1#5', 63 * day, 'extended'],
    ['0 0 ? * 1L', 28 * day, 'extended'],
  ]
  it.each(gaps)('of %s is %d seconds', (expression, seconds, dialect) => {
    expect(parseCron(expression, dialect).smallestGap()).toBe(seconds)
  })

  it('is never undercut by neighbours, and reached by some within 28 years', () => {
    const random = new Random(28)
    const start = Date.UTC(2000, 0, 1)
    const end = Date.UTC(2028, 0, 1)
    const maxSteps = 20_000
    for (let count = 0; count < 300; count++) {
      const isExtended = random.chance(0.3)
      const expression = isExtended ? randomExtended(random) : randomStandard(random)
      const cron = parseCron(expression, isExtended ? 'extended' : 'standard')
      const gap = cron.smallestGap()
      let seen = Number.POSITIVE_INFINITY
      let steps = 0
      for (let at = cron.next(start); at !== null && at < end && steps < maxSteps; steps++) {
        const next = cron.next(at)
        if (next !== null) seen = Math.min(seen, (next - at) / 1000)
        at = next
      }
      expect(seen, expression).toBeGreaterThanOrEqual(gap)
      if (steps === maxSteps || Number.isFinite(seen) === false) continue
      expect(seen, expression).toBe(gap)
    }
  })
})
