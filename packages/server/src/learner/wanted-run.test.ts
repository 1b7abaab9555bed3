import { describe, expect, it } from 'vitest'
import type { Mode } from './learner.js'
import { type Times, wantedRun } from './wanted-run.js'

const minuteMs = 60_000

/** Every ten minutes. */
const times: Times = { from: (instant) => Math.ceil(instant / (10 * minuteMs)) * 10 * minuteMs }
const limits = { budget: 1, maxMs: 60 * minuteMs }

const wish = (minutes: number, mode: Mode) => ({ gapMs: minutes * minuteMs, mode })

describe('the wanted run', () => {
  it('of an interval is the gap, in whole milliseconds', () => {
    const wanted = { gapMs: 1234.56, mode: 'spacing' } as const
    expect(wantedRun(wanted, 0, null, limits)).toEqual({ kind: 'interval', intervalMs: 1235 })
  })

  it.each([
    ['leaves times out while the target is down', wish(25, 'outage'), 1, 30],
    ['leaves times out while the target asks for rest', wish(25, 'limit'), 1, 30],
    ['leaves times out for a part of the budget', wish(25, 'spacing'), 0.5, 30],
    ['leaves none out to learn with the whole budget', wish(25, 'spacing'), 1, null],
    ['never adds a time', wish(2, 'outage'), 1, null],
    ['takes the next time for a gap that ends there', wish(10, 'outage'), 1, null],
    ['stays within the maximum interval', wish(55, 'outage'), 1, 60],
    [
      'leaves the calendar alone where the maximum ends before the next time',
      wish(65, 'outage'),
      1,
      null,
    ],
  ] as const)('of a cron %s', (_, wanted, budget, minutes) => {
    const found = wantedRun(wanted, 0, times, { ...limits, budget })
    expect(found).toEqual(minutes === null ? null : { kind: 'time', at: minutes * minuteMs })
  })

  it('of a cron that never comes again is none', () => {
    expect(wantedRun(wish(25, 'outage'), 0, { from: () => null }, limits)).toBeNull()
  })
})
