import type { Responsibility } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { at, kronJobOf } from '../../testing/cluster/samples.js'
import type { KronJobStatus } from '../kronjob/index.js'
import type { HandledPeriod } from './handled-period.js'
import { keptResponsibility, responsibilityOf } from './responsibility.js'

interface Given {
  readonly status?: KronJobStatus
  readonly generation?: number
  readonly createdAt?: string | undefined
  readonly remembered?: Responsibility
  readonly handled?: string
  readonly seenAt?: number
}

const handledAt = (time: string): HandledPeriod => ({
  nominalTime: at(time),
  chosenTime: at(time),
  outcome: 'executed',
})

/** Since when, as a time of the day; it was created at 09:00. */
function since(given: Given): string {
  const { status, generation = 1, remembered = null, handled, seenAt = at('10:00:00') + 1 } = given
  const kronJob = kronJobOf({}, status, generation)
  const creation = 'createdAt' in given ? { creationTimestamp: given.createdAt } : {}
  const found = responsibilityOf({
    kronJob: {
      ...kronJob,
      metadata: { ...kronJob.metadata, ...creation } as typeof kronJob.metadata,
    },
    timing: 'now',
    remembered,
    lastHandled: handled === undefined ? null : handledAt(handled),
    seenAt,
  })
  expect(found.timing).toBe('now')
  return new Date(found.since).toISOString().slice(11, 19)
}

const keptSince = (time: string, timing = 'now') => ({
  responsibleSince: `2026-03-01T${time}Z`,
  timing,
})

describe('since when a KronJob is answered for', () => {
  it.each<[string, string, Given]>([
    ['from the end of the second in which it was created', '09:00:01', {}],
    ['from then also if it has no generation', '09:00:01', { generation: 0 }],
    ['from now if it was ever edited', '10:00:01', { generation: 2 }],
    ['from now if nobody knows when it was created', '10:00:01', { createdAt: undefined }],
    [
      'from this second if that has just begun',
      '10:00:00',
      { generation: 2, seenAt: at('10:00:00') },
    ],
    ['from what the status has', '08:00:00', { status: keptSince('08:00:00') }],
    [
      'from now if the status has another timing',
      '10:00:01',
      { status: keptSince('08:00:00', 'x') },
    ],
    [
      'from what is remembered, if the status is gone',
      '07:00:00',
      { remembered: { timing: 'now', since: at('07:00:00') } },
    ],
    [
      'from what the status has, whatever is remembered',
      '08:00:00',
      { status: keptSince('08:00:00'), remembered: { timing: 'now', since: at('07:00:00') } },
    ],
    [
      'from what is remembered, if the status has another timing',
      '07:00:00',
      { status: keptSince('08:00:00', 'x'), remembered: { timing: 'now', since: at('07:00:00') } },
    ],
    [
      'from now if another timing is remembered',
      '10:00:01',
      { remembered: { timing: 'x', since: at('07:00:00') } },
    ],
    [
      'from the last period of a status of an older version',
      '09:30:00',
      { status: { observedGeneration: 1 }, handled: '09:30:00' },
    ],
    [
      'from the last period of one that says no generation',
      '09:30:00',
      { status: { lastPeriodID: '2026-03-01T09:30:00Z' }, handled: '09:30:00' },
    ],
    [
      'from now if an older version handled none',
      '10:00:01',
      { status: { observedGeneration: 1 } },
    ],
    [
      'from now if it was edited under an older version',
      '10:00:01',
      { status: { observedGeneration: 1 }, generation: 2, handled: '09:30:00' },
    ],
    [
      'from now if the last period is in the future',
      '10:00:01',
      { status: { observedGeneration: 1 }, handled: '23:00:00' },
    ],
  ])('%s', (_, expected, given) => {
    expect(since(given)).toBe(expected)
  })

  it('is kept only whole', () => {
    expect(keptResponsibility(keptSince('08:00:00'))).toEqual({
      timing: 'now',
      since: at('08:00:00'),
    })
    expect(keptResponsibility({ timing: 'now' })).toBeNull()
    expect(keptResponsibility({ responsibleSince: '2026-03-01T08:00:00Z' })).toBeNull()
    expect(keptResponsibility(undefined)).toBeNull()
  })
})
