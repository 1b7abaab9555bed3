import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { SplitMix64 } from '../decision/split-mix.js'
import type { EndpointPlan } from './endpoint-plan.js'
import { planNextRun } from './plan-next-run.js'

const now = Date.UTC(2026, 2, 1, 12, 0, 30)
const minute = 60_000
const hour = 3_600_000
const createdAt = now - 24 * hour

const plan = (fields: Partial<EndpointPlan>) =>
  planNextRun({ createdAt, lastRunAt: now, baselineIntervalMs: 5 * minute, ...fields }, now)

describe('jitter', () => {
  const endpoint = { createdAt, baselineIntervalMs: hour, jitterMs: 10 * minute, identity: 'a/b' }

  it('adds a part that the seed of the last run decides', () => {
    const first = planNextRun({ ...endpoint, lastRunAt: now }, now)
    expect(planNextRun({ ...endpoint, lastRunAt: now }, now)).toEqual(first)
    const other = planNextRun({ ...endpoint, identity: 'c/d', lastRunAt: now }, now)
    expect(other).not.toEqual(first)
    // The draw itself is part of the contract: SHA-256 of 'a/b', the last run and 'jitter'.
    const seed = createHash('sha256').update('a/b\n2026-03-01T12:00:30Z\njitter').digest()
    const random = new SplitMix64()
    random.seed(seed.readInt32BE(0), seed.readInt32BE(4))
    expect(first.nextRunAt).toBe(now + hour + Math.floor(random.next() * (10 * minute + 1)))
  })

  it('stays within its bound and covers it', () => {
    const delays = Array.from({ length: 500 }, (_, index) => {
      const lastRunAt = now + index * 1000
      return planNextRun({ ...endpoint, lastRunAt }, lastRunAt).nextRunAt! - lastRunAt - hour
    })
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(0)
    expect(Math.min(...delays)).toBeLessThan(10_000)
    expect(Math.max(...delays)).toBeLessThanOrEqual(10 * minute)
    expect(Math.max(...delays)).toBeGreaterThan(10 * minute - 10_000)
  })

  it('of one millisecond is drawn as often as none', () => {
    const delays = Array.from({ length: 200 }, (_, index) => {
      const lastRunAt = now + index * 1000
      return planNextRun({ ...endpoint, jitterMs: 1, lastRunAt }, lastRunAt).nextRunAt! - lastRunAt
    })
    expect(delays.filter((delay) => delay === hour + 1).length).toBeGreaterThan(70)
    expect(delays.filter((delay) => delay === hour).length).toBeGreaterThan(70)
  })

  it('of nothing changes nothing and needs no identity', () => {
    expect(plan({ jitterMs: 0 })).toEqual(plan({}))
    expect(plan({ jitterMs: null })).toEqual(plan({}))
    expect(() => plan({ jitterMs: 1 })).toThrow(/identity/)
    expect(() => plan({ jitterMs: 1, identity: '' })).toThrow(/identity/)
  })
})
