import type { Job } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { at, jobOf, kronJobOf } from '../../testing/cluster/samples.js'
import type { OwnedJob } from '../job/index.js'
import type { KronJob } from '../kronjob/index.js'
import { KronJobRecord } from '../record/kron-job-record.js'
import { statusOf } from './status-of.js'

const now = at('10:30:00')

function recordOf(kronJob: KronJob = kronJobOf(), jobs: readonly OwnedJob[] = []): KronJobRecord {
  return new KronJobRecord('default/backup', kronJob, now, jobs)
}

/** With the next period planned, as a reconciler does. */
function planned(time: string, kronJob: KronJob = kronJobOf(), jobs: readonly OwnedJob[] = []) {
  const record = recordOf(kronJob, jobs)
  record.planned = (record.compiled as Job).decide(at(time))
  return record
}

const readiness = (record: KronJobRecord) =>
  statusOf(record, now).conditions?.find(({ type }) => type === 'Ready')

describe('a status', () => {
  it('tells of nothing that has not been', () => {
    expect(statusOf(planned('11:00:00'), now)).toEqual({
      observedGeneration: 1,
      responsibleSince: '2026-03-01T09:00:01Z',
      timing: (recordOf().compiled as Job).timing,
      nextPeriodID: '2026-03-01T11:00:00Z',
      nextNominalTime: '2026-03-01T11:00:00Z',
      nextChosenTime: '2026-03-01T11:00:00Z',
      active: [],
      activeCount: 0,
      conditions: expect.any(Array),
    })
  })

  it('tells of the last period, its Jobs and their ends', () => {
    const jobs = [
      jobOf('10:00:00'),
      jobOf('08:00:00', 'succeeded'),
      jobOf('09:00:00', 'succeeded'),
      jobOf('07:00:00', 'failed'),
    ]
    expect(statusOf(planned('11:00:00', kronJobOf(), jobs), now)).toMatchObject({
      lastPeriodID: '2026-03-01T10:00:00Z',
      lastNominalTime: '2026-03-01T10:00:00Z',
      lastChosenTime: '2026-03-01T10:00:00Z',
      lastOutcome: 'executed',
      active: [
        {
          apiVersion: 'batch/v1',
          kind: 'Job',
          namespace: 'default',
          name: 'backup-10:00:00',
          uid: 'uid-10:00:00',
        },
      ],
      activeCount: 1,
      lastSuccessfulTime: '2026-03-01T09:00:30Z',
      lastFailureTime: '2026-03-01T07:00:30Z',
    })
  })

  it('says why a period was not executed, and which time it did not have', () => {
    const record = recordOf()
    record.remembered = {
      nominalTime: at('10:00:00'),
      chosenTime: null,
      outcome: 'unschedulable',
      reason: 'no allowed time',
    }
    const { lastPeriodID, lastOutcome, lastReason, lastChosenTime } = statusOf(record, now)
    expect({ lastPeriodID, lastOutcome, lastReason, lastChosenTime }).toEqual({
      lastPeriodID: '2026-03-01T10:00:00Z',
      lastOutcome: 'unschedulable',
      lastReason: 'no allowed time',
      lastChosenTime: undefined,
    })
  })

  it('looks beyond a period that can not be scheduled', () => {
    const record = planned('11:00:00', kronJobOf({ constraints: { only: ['hours=13'] } }))
    expect(statusOf(record, now)).toMatchObject({
      nextPeriodID: '2026-03-01T13:00:00Z',
      nextNominalTime: '2026-03-01T13:00:00Z',
      nextChosenTime: '2026-03-01T13:00:00Z',
    })
  })

  it('has nothing to come, and is not ready, when no date is allowed any more', () => {
    const record = planned('11:00:00', kronJobOf({ constraints: { only: ['date=2026-02-28'] } }))
    const { nextPeriodID, nextChosenTime } = statusOf(record, now)
    expect({ nextPeriodID, nextChosenTime }).toEqual({})
    expect(readiness(record)).toMatchObject({ status: 'False', reason: 'Finished' })
  })

  it('names a hundred active Jobs, oldest first, and counts all', () => {
    const jobs = Array.from({ length: 101 }, (_, n) =>
      jobOf('10:00:00', 'active', { name: `job-${n}`, createdAt: at('10:00:00') - n }),
    )
    const { active, activeCount } = statusOf(recordOf(kronJobOf(), jobs), now)
    expect(active?.map(({ name }) => name)).toEqual(
      Array.from({ length: 100 }, (_, n) => `job-${100 - n}`),
    )
    expect(activeCount).toBe(101)
  })

  it('keeps the time of an end whose Job is gone, until there is a later one', () => {
    const before = { lastSuccessfulTime: '2026-03-01T09:30:00Z' }
    const status = (...jobs: readonly OwnedJob[]) =>
      statusOf(recordOf(kronJobOf({}, before), jobs), now)
    expect(status()).toMatchObject(before)
    expect(status(jobOf('09:00:00', 'succeeded'))).toMatchObject(before)
    expect(status(jobOf('09:30:00', 'succeeded'))).toMatchObject({
      lastSuccessfulTime: '2026-03-01T09:30:30Z',
    })
    const untold = jobOf('10:00:00', 'succeeded', { finishedAt: null })
    expect(status(untold).lastSuccessfulTime).toBe(before.lastSuccessfulTime)
    expect(status(jobOf('10:00:00', 'failed')).lastSuccessfulTime).toBe(before.lastSuccessfulTime)
  })

  it('says for which generation the template was checked, once it is', () => {
    const record = recordOf(kronJobOf({}, undefined, 2))
    expect(statusOf(record, now).checkedGeneration).toBeUndefined()
    record.template.settle(null, 'deprecated')
    expect(statusOf(record, now)).toMatchObject({ checkedGeneration: 2, observedGeneration: 2 })
    const invalid = statusOf(record, now).conditions?.find(({ type }) => type === 'InvalidSpec')
    expect(invalid).toMatchObject({ status: 'False', message: 'deprecated' })
    record.template.settle({
      condition: 'InvalidSpec',
      reason: 'JobTemplateInvalid',
      message: 'no',
    })
    expect(readiness(record)).toMatchObject({ status: 'False', reason: 'JobTemplateInvalid' })
  })

  it('is that of a KronJob which is invalid, in trouble or suspended', () => {
    const invalid = recordOf(kronJobOf({ timezone: 'Europe/Pariss' }))
    expect(readiness(invalid)).toMatchObject({ status: 'False', reason: 'ZoneUnknown' })
    expect(statusOf(invalid, now).timing).toBe('')
    const troubled = planned('11:00:00')
    troubled.trouble = { condition: 'SchedulingError', reason: 'Forbidden', message: 'a quota' }
    expect(readiness(troubled)).toMatchObject({ status: 'False', message: 'a quota' })
    const suspended = planned('11:00:00', kronJobOf({ policy: { suspend: true } }))
    expect(readiness(suspended)).toMatchObject({ status: 'False', reason: 'Suspended' })
    expect(readiness(planned('11:00:00'))).toMatchObject({ status: 'True' })
  })

  it('keeps the time of a condition that stays as it is', () => {
    const before = statusOf(planned('11:00:00'), at('10:00:00'))
    const record = planned('11:00:00', kronJobOf({}, before))
    expect(readiness(record)?.lastTransitionTime).toBe('2026-03-01T10:00:00Z')
  })
})
