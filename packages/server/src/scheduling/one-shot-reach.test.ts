import { describe, expect, it } from 'vitest'
import { outOfReach, reachOf } from './one-shot-reach.js'

const expiresAt = Date.UTC(2026, 2, 1, 12)
const end = '2026-03-01T12:00:00Z'
const held = { scheduledFor: 3, source: 'manual', leaseUntil: 9, deliveries: 1 } as const

describe('the reach of a one-shot', () => {
  it.each([
    ['the making of an endpoint that never ran', { held: null, lastRunAt: null, createdAt: 1 }, 1],
    ['the last run', { held: null, lastRunAt: 2, createdAt: 1 }, 2],
    ['the run under way', { held, lastRunAt: 2, createdAt: 1 }, 3],
  ])('is counted from %s', (_name, plan, since) => {
    expect(reachOf(plan, { minIntervalMs: 7 })).toEqual({ since, minIntervalMs: 7 })
  })

  const tooSoon =
    'comes to nothing: the minimum interval of 1m puts it off until after the hint expires, ' +
    `at ${end}`

  it.each([
    ['its end', 0, { since: 0, minIntervalMs: null }, null],
    [
      'just after its end',
      1,
      { since: 0, minIntervalMs: null },
      `is after the hint expires, at ${end}`,
    ],
    [
      'an interval that ends with it',
      0,
      { since: expiresAt - 60_000, minIntervalMs: 60_000 },
      null,
    ],
    ['one that ends later', 0, { since: expiresAt - 59_999, minIntervalMs: 60_000 }, tooSoon],
    ['a run after its end without one', 0, { since: expiresAt + 1, minIntervalMs: null }, null],
  ])('with %s', (_name, after, reach, flaw) => {
    expect(outOfReach({ nextRunAt: expiresAt + after, expiresAt }, reach)).toBe(flaw)
  })
})
