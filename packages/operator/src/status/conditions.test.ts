import { ValidationError } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { at } from '../../testing/cluster/samples.js'
import type { Condition, ConditionType } from '../kronjob/index.js'
import { type ConditionInput, conditionsOf } from './conditions.js'

const fine: ConditionInput = {
  before: undefined,
  generation: 3,
  now: at('10:00:00'),
  flaw: null,
  trouble: null,
  templateFlaw: null,
  templateWarning: null,
  isSuspended: false,
  isFinished: false,
  lastHandled: null,
}

const overlap = new ValidationError('KRON_WINDOW_OVERLAP', 'the window is too large', {
  field: 'window',
})
const quota = { condition: 'SchedulingError', reason: 'Forbidden', message: 'a quota' } as const
const refused = { condition: 'InvalidSpec', reason: 'JobTemplateInvalid', message: 'no' } as const
const unknown = { ...refused, reason: 'JobTemplateUnknownField', message: 'unknown' } as const
const unschedulable = {
  nominalTime: at('09:00:00'),
  chosenTime: null,
  outcome: 'unschedulable',
} as const

/** `status reason: message` of each. */
function told(input: Partial<ConditionInput>): Record<ConditionType, string> {
  const entries = conditionsOf({ ...fine, ...input }).map(
    ({ type, status, reason, message }) => [type, `${status} ${reason}: ${message}`] as const,
  )
  return Object.fromEntries(entries) as Record<ConditionType, string>
}

const fineTold: Record<ConditionType, string> = {
  Ready: 'True Scheduled: Jobs are created as scheduled',
  InvalidSpec: 'False Valid: the specification is valid',
  SchedulingError: 'False None: no error prevents Jobs from being created',
  Unschedulable: 'False Schedulable: the constraints allowed a time in the last period',
  Suspended: 'False NotSuspended: policy.suspend is false',
}

describe('conditions', () => {
  const cases: [string, Partial<ConditionInput>, Partial<Record<ConditionType, string>>][] = [
    ['nothing is wrong', {}, {}],
    [
      'the specification can not be used',
      { flaw: overlap },
      {
        Ready: 'False WindowOverlap: the window is too large',
        InvalidSpec: 'True WindowOverlap: the window is too large',
      },
    ],
    [
      'Jobs are refused',
      { trouble: quota },
      { Ready: 'False Forbidden: a quota', SchedulingError: 'True Forbidden: a quota' },
    ],
    [
      'a Job was refused for its template',
      { trouble: refused, templateFlaw: unknown },
      { Ready: 'False JobTemplateInvalid: no', InvalidSpec: 'True JobTemplateInvalid: no' },
    ],
    [
      'the template would be refused',
      { templateFlaw: unknown, templateWarning: 'deprecated' },
      {
        Ready: 'False JobTemplateUnknownField: unknown',
        InvalidSpec: 'True JobTemplateUnknownField: unknown',
      },
    ],
    [
      'the API server warns of the template',
      { templateWarning: 'deprecated' },
      { InvalidSpec: 'False ValidWithWarnings: deprecated' },
    ],
    [
      'it is suspended',
      { isSuspended: true, isFinished: true },
      {
        Ready: 'False Suspended: policy.suspend is true: no Jobs are created',
        Suspended: 'True Suspended: policy.suspend is true: no Jobs are created',
      },
    ],
    [
      'nothing is to come',
      { isFinished: true },
      { Ready: 'False Finished: no period can run any more: all allowed dates have passed' },
    ],
    [
      'the last period had no allowed time',
      { lastHandled: { ...unschedulable, reason: 'hours=3 never' } },
      { Unschedulable: 'True NoAllowedTime: period 2026-03-01T09:00:00Z: hours=3 never' },
    ],
    [
      'the last period had no allowed time, and nobody knows why',
      { lastHandled: unschedulable },
      { Unschedulable: 'True NoAllowedTime: period 2026-03-01T09:00:00Z: no allowed time' },
    ],
    ['the last period was missed', { lastHandled: { ...unschedulable, outcome: 'missed' } }, {}],
  ]

  it.each(cases)('when %s', (_, input, difference) => {
    expect(told(input)).toEqual({ ...fineTold, ...difference })
  })

  it('name the first obstacle where there are several', () => {
    const all = { flaw: overlap, trouble: quota, isSuspended: true, isFinished: true }
    expect(told(all).Ready).toBe('False WindowOverlap: the window is too large')
    expect(told({ ...all, flaw: null }).Ready).toBe('False Forbidden: a quota')
  })

  it('are of the generation that was looked at', () => {
    const generations = conditionsOf(fine).map(({ observedGeneration }) => observedGeneration)
    expect(generations).toEqual([3, 3, 3, 3, 3])
  })
})

describe('the time of a condition', () => {
  const changes = (before: readonly Condition[], input: Partial<ConditionInput>) => {
    const after = conditionsOf({ ...fine, before: { conditions: before }, ...input })
    return Object.fromEntries(
      after.map(({ type, lastTransitionTime }) => [type, lastTransitionTime]),
    )
  }
  const ten = '2026-03-01T10:00:00Z'
  const eleven = '2026-03-01T11:00:00Z'

  it('is now where nobody has told one before', () => {
    expect(conditionsOf(fine).map(({ lastTransitionTime }) => lastTransitionTime)).toEqual(
      Array(5).fill(ten),
    )
  })

  it('moves with its status, and with nothing else', () => {
    const before = conditionsOf(fine)
    const now = at('11:00:00')
    expect(changes(before, { now, trouble: quota })).toEqual({
      Ready: eleven,
      InvalidSpec: ten,
      SchedulingError: eleven,
      Unschedulable: ten,
      Suspended: ten,
    })
    const troubled = conditionsOf({ ...fine, trouble: quota })
    const webhook = { ...quota, reason: 'WebhookDenied', message: 'another' }
    expect(changes(troubled, { now, trouble: webhook, generation: 4 })['SchedulingError']).toBe(ten)
    expect(changes(troubled, { now })).toMatchObject({ Ready: eleven, SchedulingError: eleven })
  })
})
