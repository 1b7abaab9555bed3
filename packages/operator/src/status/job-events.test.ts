import { describe, expect, it } from 'vitest'
import { jobOf } from '../../testing/cluster/samples.js'
import type { OwnedJob } from '../job/index.js'
import type { KronJobStatus } from '../kronjob/index.js'
import { jobEvents } from './job-events.js'

const ten = { lastPeriodID: '2026-03-01T10:00:00Z' }
const activeAt = (...times: readonly string[]): KronJobStatus => ({
  ...ten,
  active: times.map((time) => ({
    apiVersion: 'batch/v1',
    kind: 'Job',
    namespace: 'default',
    name: `backup-${time}`,
    uid: `uid-${time}`,
  })),
})

const told = (status: KronJobStatus | undefined, ...jobs: readonly OwnedJob[]): string[] =>
  jobEvents(status, jobs).map(({ reason, subject }) => `${reason} ${subject}`)

describe('events of Jobs', () => {
  const eleven = '2026-03-01T11:00:00Z'

  it.each<[string, KronJobStatus | undefined, OwnedJob, string[]]>([
    ['one that is new', ten, jobOf('11:00:00'), [`JobCreated ${eleven}`]],
    ['the first one of all', undefined, jobOf('11:00:00'), [`JobCreated ${eleven}`]],
    ['one that the status tells of', activeAt('10:00:00'), jobOf('10:00:00'), []],
    [
      'one that ended before the status told of it',
      ten,
      jobOf('11:00:00', 'succeeded'),
      [`JobCreated ${eleven}`, 'JobCompleted uid-11:00:00'],
    ],
    [
      'one that was active',
      activeAt('09:00:00', '10:00:00'),
      jobOf('10:00:00', 'failed'),
      ['JobFailed uid-10:00:00'],
    ],
    ['one whose end was told', activeAt('09:00:00'), jobOf('10:00:00', 'succeeded'), []],
    ['one that somebody wanted', ten, jobOf('11:00:00', 'succeeded', { period: null }), []],
    [
      'one that somebody wanted, and that was active',
      activeAt('11:00:00'),
      jobOf('11:00:00', 'succeeded', { period: null }),
      ['JobCompleted uid-11:00:00'],
    ],
  ])('of %s', (_, status, job, expected) => {
    expect(told(status, job)).toEqual(expected)
  })

  it('are of each Job, as people read them', () => {
    const wanted = jobOf('10:30:00', 'succeeded', { period: null, name: 'backup-manual' })
    const jobs = [jobOf('11:00:00', 'failed'), wanted, jobOf('12:00:00', 'succeeded')]
    expect(jobEvents(activeAt('10:30:00'), jobs)).toEqual([
      {
        reason: 'JobCreated',
        type: 'Normal',
        message: 'created Job backup-11:00:00 for period 2026-03-01T11:00:00Z',
        subject: '2026-03-01T11:00:00Z',
      },
      {
        reason: 'JobFailed',
        type: 'Warning',
        message: 'Job of period 2026-03-01T11:00:00Z failed: backup-11:00:00',
        subject: 'uid-11:00:00',
      },
      {
        reason: 'JobCompleted',
        type: 'Normal',
        message: 'Job completed: backup-manual',
        subject: 'uid-10:30:00',
      },
      {
        reason: 'JobCreated',
        type: 'Normal',
        message: 'created Job backup-12:00:00 for period 2026-03-01T12:00:00Z',
        subject: '2026-03-01T12:00:00Z',
      },
      {
        reason: 'JobCompleted',
        type: 'Normal',
        message: 'Job of period 2026-03-01T12:00:00Z completed: backup-12:00:00',
        subject: 'uid-12:00:00',
      },
    ])
  })
})
