import { type Decision, type Job, ValidationError } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { at, kronJobOf } from '../../testing/cluster/samples.js'
import { compileKronJob } from '../kronjob/index.js'
import type { HandledPeriod } from '../record/handled-period.js'
import { warningText } from '../record/template-verdict.js'
import {
  existedEvent,
  invalidSpecEvent,
  invalidTemplateEvent,
  notResponsibleEvent,
  settledEvent,
  templateWarningEvent,
  troubleEvent,
} from './period-events.js'

const period = '2026-03-01T10:00:00Z'
const decision: Decision = (compileKronJob(kronJobOf()) as Job).decide(at('10:00:00'))
const settled = (outcome: HandledPeriod['outcome'], reason?: string): HandledPeriod => ({
  nominalTime: at('10:00:00'),
  chosenTime: null,
  outcome,
  reason,
})

describe('the event of a period', () => {
  it.each([
    [settled('missed', '5m late'), 'MissedDeadline', 'Normal', 'missed: 5m late'],
    [settled('unschedulable', 'none'), 'Unschedulable', 'Warning', 'unschedulable: none'],
    [settled('unschedulable'), 'Unschedulable', 'Warning', 'unschedulable: unknown'],
    [
      settled('skipped', 'superseded'),
      'SkippedSuperseded',
      'Normal',
      'skipped: the window of the next period has opened',
    ],
    [
      settled('skipped', 'concurrency'),
      'SkippedConcurrency',
      'Normal',
      'skipped: a Job of this KronJob is still active, and policy.concurrency is forbid',
    ],
  ])('that was not executed: %j', (handled, reason, type, text) => {
    expect(settledEvent(handled)).toEqual({
      reason,
      type,
      message: `period ${period} ${text}`,
      subject: period,
    })
  })

  it('whose Job was there', () => {
    expect(existedEvent(decision, 'backup-1')).toEqual({
      reason: 'JobAlreadyExists',
      type: 'Normal',
      message: `Job backup-1 of period ${period} already exists, so the period is handled`,
      subject: period,
    })
  })

  it('that was due before its schedule', () => {
    expect(notResponsibleEvent(decision)).toMatchObject({
      reason: 'NotResponsible',
      type: 'Normal',
      subject: period,
    })
  })
})

describe('the event of trouble', () => {
  const trouble = (reason: string) =>
    ({ condition: 'SchedulingError', reason, message: 'no' }) as const
  const told = (reason: string, time: string) =>
    troubleEvent(trouble(reason), decision, 7, at(time))
  const hour = at('10:00:00') / 3_600_000

  it('is a refusal, told once for each period, reason and hour', () => {
    expect(told('Forbidden', '10:59:59')).toEqual({
      reason: 'JobRefused',
      type: 'Warning',
      message: `period ${period} can't be started: no`,
      subject: `${period} Forbidden ${hour}`,
    })
    expect(told('Forbidden', '11:00:00').subject).toBe(`${period} Forbidden ${hour + 1}`)
  })

  it('is a name that is taken, told once for each period', () => {
    expect(told('NameTaken', '10:30:00')).toEqual({
      reason: 'JobAlreadyExists',
      type: 'Warning',
      message: 'no',
      subject: `taken ${period}`,
    })
  })

  it('is a Job that does not go, told once for that and the hour', () => {
    expect(told('ReplacementWaiting', '10:30:00')).toEqual({
      reason: 'ReplacementWaiting',
      type: 'Warning',
      message: `period ${period} waits: no`,
      subject: `no ${hour}`,
    })
  })

  it('is a flaw, told once for each generation', () => {
    const flaw = { condition: 'InvalidSpec', reason: 'JobTemplateInvalid', message: 'no' } as const
    const event = {
      reason: 'InvalidSpec',
      type: 'Warning',
      message: 'no',
      subject: 'generation 7: no',
    }
    expect(troubleEvent(flaw, decision, 7, 0)).toEqual(event)
    expect(invalidTemplateEvent(flaw, 7)).toEqual(event)
    const error = new ValidationError('KRON_WINDOW_OVERLAP', 'no', { field: 'window' })
    expect(invalidSpecEvent(error, 7)).toEqual(event)
  })

  it('is a warning of the API server, at no more than some length', () => {
    expect(warningText([])).toBeNull()
    expect(warningText(['a', 'b'])).toBe('jobTemplate: a; b')
    expect(warningText(['x'.repeat(2000)])).toHaveLength(900)
    expect(templateWarningEvent('jobTemplate: a', 7)).toEqual({
      reason: 'TemplateWarning',
      type: 'Warning',
      message: 'jobTemplate: a',
      subject: 'generation 7: jobTemplate: a',
    })
  })
})
