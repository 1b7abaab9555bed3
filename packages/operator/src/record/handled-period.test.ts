import { describe, expect, it } from 'vitest'
import { at, jobOf } from '../../testing/cluster/samples.js'
import type { OwnedJob } from '../job/index.js'
import type { KronJobStatus } from '../kronjob/index.js'
import { type HandledPeriod, lastHandled } from './handled-period.js'

const missed = (time: string, reason = 'late'): HandledPeriod => ({
  nominalTime: at(time),
  chosenTime: at(time) + 5000,
  outcome: 'missed',
  reason,
})

const executed = (time: string): HandledPeriod => ({
  nominalTime: at(time),
  chosenTime: at(time),
  outcome: 'executed',
})

const written = (time: string, more: object = {}): KronJobStatus => ({
  lastPeriodID: `2026-03-01T${time}Z`,
  lastChosenTime: `2026-03-01T${time.slice(0, -1)}7Z`,
  lastOutcome: 'skipped',
  lastReason: 'concurrency',
  ...more,
})

const skipped = (time: string): HandledPeriod => ({
  nominalTime: at(time),
  chosenTime: at(time) + 7000,
  outcome: 'skipped',
  reason: 'concurrency',
})

interface Witnesses {
  readonly jobs?: readonly OwnedJob[]
  readonly status?: KronJobStatus
  readonly remembered?: HandledPeriod
}

const last = ({ jobs = [], status, remembered = undefined }: Witnesses) =>
  lastHandled(jobs, status, remembered ?? null)

describe('the last handled period', () => {
  it.each<[string, Witnesses, HandledPeriod | null]>([
    ['is none where nobody knows of one', {}, null],
    [
      'is that of the newest Job',
      { jobs: [jobOf('10:00:00'), jobOf('09:00:00')] },
      executed('10:00:00'),
    ],
    ['is that of the status', { status: written('10:00:00') }, skipped('10:00:00')],
    ['is the one that is remembered', { remembered: missed('10:00:00') }, missed('10:00:00')],
    [
      'is the later one of what is remembered and what the status says',
      { status: written('09:00:00'), remembered: missed('10:00:00') },
      missed('10:00:00'),
    ],
    [
      'is the later one of what the status says and what is remembered',
      { status: written('10:00:00'), remembered: missed('09:00:00') },
      skipped('10:00:00'),
    ],
    [
      'is not that of a Job which is older than the status',
      { status: written('10:00:00'), jobs: [jobOf('09:00:00')] },
      skipped('10:00:00'),
    ],
    [
      'is not that of a Job which is older than what is remembered',
      { remembered: missed('10:00:00'), jobs: [jobOf('09:00:00')] },
      missed('10:00:00'),
    ],
    [
      'is that of a Job which is newer',
      { status: written('10:00:00'), remembered: missed('09:00:00'), jobs: [jobOf('11:00:00')] },
      executed('11:00:00'),
    ],
    [
      'is not of a Job that somebody wanted',
      { status: written('10:00:00'), jobs: [jobOf('11:00:00', 'active', { period: null })] },
      skipped('10:00:00'),
    ],
  ])('%s', (_, witnesses, expected) => {
    expect(last(witnesses)).toEqual(expected)
  })

  it.each<[string, Witnesses, HandledPeriod]>([
    [
      'is executed if there is its Job, whatever else is said',
      {
        jobs: [jobOf('10:00:00')],
        status: written('10:00:00'),
        remembered: missed('10:00:00'),
      },
      executed('10:00:00'),
    ],
    [
      'is as the status has it, if we came to something else',
      { status: written('10:00:00'), remembered: missed('10:00:00') },
      skipped('10:00:00'),
    ],
    [
      'is executed if we have seen its Job, though the status says otherwise',
      { status: written('10:00:00'), remembered: executed('10:00:00') },
      executed('10:00:00'),
    ],
  ])('%s', (_, witnesses, expected) => {
    expect(last(witnesses)).toEqual(expected)
  })

  it.each<[string, object, Partial<HandledPeriod>]>([
    ['without a chosen time', { lastChosenTime: undefined }, { chosenTime: null }],
    ['with an outcome that we do not know', { lastOutcome: 'postponed' }, { outcome: 'executed' }],
    ['without an outcome', { lastOutcome: undefined }, { outcome: 'executed' }],
    ['with a reason that is no text', { lastReason: 7 }, { reason: undefined }],
  ])('is read from a status %s', (_, more, difference) => {
    const status = written('10:00:00', more)
    expect(last({ status })).toEqual({ ...skipped('10:00:00'), ...difference })
  })

  it('is none where the status names no time', () => {
    expect(last({ status: written('10:00:00', { lastPeriodID: 'yesterday' }) })).toBeNull()
  })
})
