import { describe, expect, it } from 'vitest'
import { FailureQuota } from './failure-quota.js'

const minute = 60_000

/** What is reported of failures that come at these times, of one task and for one reason. */
function toldAt(quota: FailureQuota, ...times: readonly number[]): boolean[] {
  return times.map((now) => {
    for (const _ of quota.summaries(now));
    return quota.admits('task "a"', 'no paper', now)
  })
}

const sentences = (quota: FailureQuota, now: number, isEnd = false): string[] =>
  [...quota.summaries(now, isEnd)].map(({ sentence }) => sentence)

describe('a quota of failures', () => {
  it('tells one once within a minute, and again after it', () => {
    const quota = new FailureQuota()
    expect(toldAt(quota, 0, 1, minute - 1, minute, minute + 1)).toEqual([
      true,
      false,
      false,
      true,
      false,
    ])
  })

  it('tells subjects and reasons apart', () => {
    const quota = new FailureQuota()
    expect(quota.admits('a', 'x', 0)).toBe(true)
    expect(quota.admits('b', 'x', 0)).toBe(true)
    expect(quota.admits('a', 'y', 0)).toBe(true)
    expect(quota.admits('a', 'x', 0)).toBe(false)
  })

  it('tells a hundred, and how many others there were when the minute is over', () => {
    const quota = new FailureQuota()
    const admitted = Array.from({ length: 103 }, (_, task) => quota.admits(`task ${task}`, 'x', 0))
    expect(admitted.indexOf(false)).toBe(100)
    expect(quota.admits('task 102', 'x', 0)).toBe(false)
    expect(quota.admits('task 0', 'x', 0)).toBe(false)
    expect(sentences(quota, minute - 1)).toEqual([])
    expect(sentences(quota, minute)).toEqual([
      'task 0 failed once more within a minute, for the same reason: x',
      '4 more failures, of 3 others, came within a minute and were counted instead of logged; ' +
        'the first: task 100: x',
    ])
    expect(sentences(quota, 2 * minute)).toEqual([])
  })

  it('tells what it has counted at the end, without waiting for the minute', () => {
    const quota = new FailureQuota()
    toldAt(quota, 0, 1, 2)
    expect(sentences(quota, 3)).toEqual([])
    expect(sentences(quota, 3, true)).toEqual([
      'task "a" failed 2 more times within a minute, for the same reason: no paper',
    ])
  })

  it('is not muted by a clock that is set back, but lets a little lateness pass', () => {
    const quota = new FailureQuota()
    const hour = 60 * minute
    expect(toldAt(quota, hour, hour - 1000, hour - minute, 0, 1)).toEqual([
      true,
      false,
      false,
      true,
      false,
    ])
  })
})
