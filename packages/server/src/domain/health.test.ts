import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sampleNow as now, sampleRun } from '../../testing/sample-endpoint.js'
import { healthOf } from './health.js'
import { endedStatuses, type Run, type RunStatus, runStatuses } from './index.js'

/** The newest first, a minute apart. */
const runsOf = (...statuses: RunStatus[]): Run[] =>
  statuses.map((status, index) => sampleRun(now - index * 60_000, { status }))

describe('the health of an endpoint', () => {
  it('of one that never ran is unknown', () => {
    expect(healthOf([])).toEqual({
      runs: 0,
      since: null,
      counts: {
        pending: 0,
        running: 0,
        success: 0,
        failure: 0,
        timeout: 0,
        unschedulable: 0,
        cancelled: 0,
        skipped: 0,
        missed: 0,
      },
      successRate: null,
      durationMs: null,
      latenessMs: null,
      streak: null,
      longestFailureStreak: 0,
      lastSuccessAt: null,
      lastFailureAt: null,
    })
  })

  it('counts what was sent for the rate, and everything by status', () => {
    const health = healthOf(
      runsOf('running', 'skipped', 'success', 'timeout', 'success', 'failure'),
    )
    expect(health).toMatchObject({
      runs: 6,
      since: '2026-03-01T11:55:30Z',
      successRate: 0.5,
      counts: { running: 1, skipped: 1, success: 2, timeout: 1, failure: 1, missed: 0 },
      lastSuccessAt: '2026-03-01T11:58:30.100Z',
      lastFailureAt: '2026-03-01T11:57:30.100Z',
    })
  })

  it.each<[string, RunStatus[], object]>([
    ['successes', ['success', 'success', 'failure'], { status: 'success', length: 2 }],
    [
      'failures and timeouts alike',
      ['failure', 'timeout', 'success'],
      { status: 'failure', length: 2 },
    ],
    [
      'what is sent only',
      ['running', 'failure', 'skipped', 'missed', 'failure', 'cancelled', 'failure'],
      { status: 'failure', length: 3 },
    ],
    ['one run', ['success'], { status: 'success', length: 1 }],
  ])('has a current streak of %s', (_, statuses, streak) => {
    expect(healthOf(runsOf(...statuses)).streak).toEqual(streak)
  })

  it('remembers the longest streak of failures', () => {
    const statuses: RunStatus[] = ['success', 'failure', 'success', 'timeout', 'failure', 'failure']
    expect(healthOf(runsOf(...statuses)).longestFailureStreak).toBe(3)
  })

  it('measures durations by nearest rank', () => {
    const runs = Array.from({ length: 100 }, (_, index) =>
      sampleRun(now - index, { startedAt: now, endedAt: now + ((index * 37) % 100) + 1 }),
    )
    expect(healthOf(runs).durationMs).toEqual({ p50: 50, p90: 90, p95: 95, p99: 99, max: 100 })
    expect(healthOf(runs.slice(0, 1)).durationMs).toEqual({
      p50: 1,
      p90: 1,
      p95: 1,
      p99: 1,
      max: 1,
    })
  })

  it('measures lateness, of which there is none below zero', () => {
    const late = [5, 0, -3, 7].map((ms) => sampleRun(now, { startedAt: now + ms }))
    const waiting = sampleRun(now, { status: 'pending', startedAt: null, endedAt: null })
    expect(healthOf([waiting, ...late]).latenessMs).toEqual({ p50: 0, p99: 7 })
    expect(healthOf(late.slice(2, 3)).latenessMs).toEqual({ p50: 0, p99: 0 })
  })

  it('adds up, whatever the runs are', () => {
    const lists = fc.array(fc.constantFrom(...runStatuses), { maxLength: 40 })
    const property = fc.property(lists, (statuses) => {
      const health = healthOf(runsOf(...statuses))
      expect(Object.values(health.counts).reduce((sum, n) => sum + n, 0)).toBe(statuses.length)
      const { success, failure, timeout } = health.counts
      const sent = success + failure + timeout
      expect(health.successRate).toBe(sent === 0 ? null : success / sent)
      expect(health.streak?.length ?? 0).toBeLessThanOrEqual(sent)
      expect(health.longestFailureStreak).toBeLessThanOrEqual(failure + timeout)
      if (health.streak?.status === 'failure') {
        expect(health.longestFailureStreak).toBeGreaterThanOrEqual(health.streak.length)
      }
    })
    fc.assert(property, { numRuns: 500, seed: 3 })
    expect(endedStatuses.length).toBeLessThan(runStatuses.length)
  })
})
