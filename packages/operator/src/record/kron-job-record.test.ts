import { type Job, KronError } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { at, jobOf, kronJobOf } from '../../testing/cluster/samples.js'
import type { KronEvent } from '../event/index.js'
import type { Condition, KronJob, KronJobStatus } from '../kronjob/index.js'
import { KronJobRecord } from './kron-job-record.js'

const now = at('10:30:00')
const recordOf = (kronJob: KronJob = kronJobOf()): KronJobRecord =>
  new KronJobRecord('default/backup', kronJob, now)
const timing = (recordOf().compiled as Job).timing
const kept = { responsibleSince: '2026-03-01T09:00:00Z', timing }

describe('the record of a KronJob', () => {
  it('keeps what is planned and what went wrong until the specification changes', () => {
    const record = recordOf()
    const trouble = { condition: 'SchedulingError', reason: 'Forbidden', message: 'no' } as const
    const planned = (record.compiled as Job).decide(at('11:00:00'))
    const attempt = { ...record.attemptAt(at('11:00:00')), failures: 3, failure: 'no' }
    Object.assign(record, { trouble, planned, attempt })
    record.template.settle(null)
    const { compiled } = record
    record.update(kronJobOf({}, { activeCount: 1 }), now)
    expect(record).toMatchObject({ trouble, planned, attempt, compiled })
    expect(record.template.isKnown).toBe(true)
    record.update(kronJobOf({ policy: { deadline: '1m' } }, undefined, 2), now)
    expect(record).toMatchObject({
      trouble: null,
      planned: null,
      attempt: { ...attempt, failures: 0 },
    })
    expect(record.compiled).not.toBe(compiled)
    expect(record.template.isKnown).toBe(false)
  })

  it('says what is wrong with a specification, and gets over it', () => {
    const record = recordOf(kronJobOf({ timezone: 'Europe/Pariss' }))
    expect(record.compiled).toBeInstanceOf(KronError)
    expect(record.responsibility.timing).toBe('')
    record.update(kronJobOf({}, undefined, 2), now)
    expect(record.responsibility.timing).toBe(timing)
  })

  it.each<[string, KronJobStatus | undefined, string | null]>([
    ['begins where there is no status', undefined, 'created'],
    ['goes on where the status has its timing', kept, null],
    ['begins with a timing that was edited', { ...kept, timing: 'other' }, 'edited'],
  ])('%s', (_, status, expected) => {
    expect(recordOf(kronJobOf({}, status)).newlyResponsible).toBe(expected)
  })

  it('begins with an edit of the timing, and with no other', () => {
    const record = recordOf(kronJobOf({}, kept))
    record.update(kronJobOf({ policy: { deadline: '1m' } }, kept, 2), now)
    expect(record.newlyResponsible).toBeNull()
    record.update(kronJobOf({ schedule: '5 * * * *' }, kept, 3), now)
    expect(record.newlyResponsible).toBe('edited')
  })

  it('knows whether it is being deleted', () => {
    const kronJob = kronJobOf()
    const metadata = { ...kronJob.metadata, deletionTimestamp: '2026-03-01T10:00:00Z' }
    expect(recordOf(kronJob).isDeleting).toBe(false)
    expect(recordOf({ ...kronJob, metadata }).isDeleting).toBe(true)
  })

  it('has its active Jobs oldest first', () => {
    const record = recordOf()
    const same = { createdAt: at('10:00:00') }
    const jobs = [
      jobOf('10:00:00', 'active', { name: 'b', ...same }),
      jobOf('10:00:00', 'active', { name: 'a', ...same }),
      jobOf('09:00:00', 'succeeded'),
      jobOf('08:00:00', 'active', { name: 'z' }),
    ]
    for (const job of jobs) record.putJob(job)
    expect(record.activeJobs.map(({ name }) => name)).toEqual(['z', 'a', 'b'])
  })

  it('has one attempt, which is of one period', () => {
    const record = recordOf()
    const untried = {
      nominalTime: at('11:00:00'),
      failures: 0,
      uncertainUntil: null,
      replacingSince: null,
      waitingSince: null,
      waitLoggedAt: null,
      failure: null,
    }
    expect(record.attemptAt(at('11:00:00'))).toEqual(untried)
    record.attempt = { ...untried, failures: 2 }
    expect(record.attemptAt(at('11:00:00')).failures).toBe(2)
    expect(record.attemptAt(at('12:00:00'))).toEqual({ ...untried, nominalTime: at('12:00:00') })
  })
})

describe('what was handled', () => {
  it('is remembered of Jobs that were seen when it was made', () => {
    const jobs = [
      jobOf('10:00:00'),
      jobOf('09:00:00'),
      jobOf('11:00:00', 'active', { period: null }),
    ]
    const record = new KronJobRecord('default/backup', kronJobOf(), now, jobs)
    record.jobs.clear()
    expect(record.lastHandled).toEqual({
      nominalTime: at('10:00:00'),
      chosenTime: at('10:00:00'),
      outcome: 'executed',
    })
  })

  it('was executed if a Job of it was seen, whatever was thought before', () => {
    const record = recordOf()
    const period = { nominalTime: at('10:00:00'), chosenTime: at('10:00:00') }
    record.remembered = { ...period, outcome: 'missed', reason: 'late' }
    record.putJob(jobOf('10:00:00'))
    record.jobs.clear()
    expect(record.lastHandled).toEqual({ ...period, outcome: 'executed' })
  })

  const missed = (time: string): KronJobStatus => ({
    lastPeriodID: `2026-03-01T${time}Z`,
    lastChosenTime: `2026-03-01T${time}Z`,
    lastOutcome: 'missed',
  })

  it.each([
    ['is remembered when the status is erased', '10:00:00', '10:00:00'],
    ['is remembered when it was chosen for now', '10:30:00', '10:30:00'],
    ['is not remembered of a future that somebody erased', '10:30:01', null],
  ])('%s', (_, time, expected) => {
    const record = recordOf(kronJobOf({}, missed(time)))
    const planned = (record.compiled as Job).decide(at('23:00:00'))
    record.planned = planned
    record.update(kronJobOf({}), now)
    const last = expected === null ? null : { nominalTime: at(expected), outcome: 'missed' }
    if (last === null) expect(record.lastHandled).toBeNull()
    else expect(record.lastHandled).toMatchObject(last)
    expect(record.planned).toBe(last === null ? null : planned)
  })

  it('is what the status says, if that has gone on', () => {
    const record = recordOf(kronJobOf({}, missed('09:00:00')))
    record.update(kronJobOf({}, missed('10:00:00')), now)
    expect(record.remembered).toBeNull()
    expect(record.lastHandled).toMatchObject({ nominalTime: at('10:00:00') })
  })

  it('is what the status says, if another controller has corrected it', () => {
    const record = recordOf(kronJobOf({}, { ...missed('10:00:00'), lastOutcome: 'executed' }))
    record.update(kronJobOf({}, missed('10:00:00')), now)
    expect(record.lastHandled).toMatchObject({ outcome: 'missed' })
  })

  it('is remembered by its nominal time where it had no chosen one', () => {
    const unschedulable = {
      lastPeriodID: '2026-03-01T10:00:00Z',
      lastOutcome: 'unschedulable',
    } as const
    const record = recordOf(kronJobOf({}, unschedulable))
    record.update(kronJobOf({}), now)
    expect(record.lastHandled).toMatchObject({ chosenTime: null, outcome: 'unschedulable' })
  })
})

describe('what is to be told', () => {
  const event = (reason: KronEvent['reason'], subject: string): KronEvent => ({
    reason,
    subject,
    type: 'Warning',
    message: 'no',
  })

  it('is told once of each subject', () => {
    const record = recordOf()
    const news = [event('NoDecision', '1'), event('NoDecision', '2'), event('JobRefused', '1')]
    for (const each of [...news, ...news]) record.report({ ...each })
    expect(record.pendingEvents).toEqual(news)
  })

  it('of a trouble is not told for each try, also if it has been told', () => {
    const record = recordOf()
    record.reportTrouble(event('NoDecision', '1'))
    record.pendingEvents = []
    record.reportTrouble(event('NoDecision', '1'))
    expect(record.pendingEvents).toEqual([])
    record.reportTrouble(event('NoDecision', '2'))
    expect(record.pendingEvents).toEqual([event('NoDecision', '2')])
  })
})

describe('Jobs of the same age', () => {
  it('are in the order of their names', () => {
    const record = recordOf()
    for (const name of ['b', 'c', 'a']) record.putJob(jobOf('10:00:00', 'active', { name }))
    expect(record.activeJobs.map(({ name }) => name)).toEqual(['a', 'b', 'c'])
  })
})

describe('the attempt of the leader before us', () => {
  const trouble = (reason: string, since: string): Condition => ({
    type: 'SchedulingError',
    status: 'True',
    reason,
    message: 'no',
    lastTransitionTime: `2026-03-01T${since}Z`,
  })
  const next = {
    observedGeneration: 1,
    nextPeriodID: '2026-03-01T10:00:00Z',
    nextChosenTime: '2026-03-01T10:05:00Z',
  }
  const attempt = (status: KronJobStatus) => recordOf(kronJobOf({}, status)).attempt

  it.each([
    ['was refused', 'Forbidden', 'refused: no'],
    ['waited', 'ReplacementWaiting', 'no'],
  ])('%s', (_, reason, failure) => {
    const conditions = [trouble(reason, '10:05:00')]
    expect(attempt({ ...next, conditions })).toEqual({
      nominalTime: at('10:00:00'),
      failures: 0,
      uncertainUntil: null,
      replacingSince: null,
      waitingSince: null,
      waitLoggedAt: null,
      failure,
    })
  })

  it.each<[string, KronJobStatus]>([
    ['there is no trouble', next],
    ['it began before the period was due', { ...next, conditions: [trouble('X', '10:04:59')] }],
    [
      'the status does not say which is next',
      { observedGeneration: 1, conditions: [trouble('X', '10:05:00')] },
    ],
    [
      'the next one has no time',
      {
        observedGeneration: 1,
        nextPeriodID: next.nextPeriodID,
        conditions: [trouble('X', '10:05:00')],
      },
    ],
  ])('is none when %s', (_, status) => {
    expect(attempt(status)).toBeNull()
  })
})
