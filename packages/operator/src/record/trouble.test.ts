import { ConfigurationError, ValidationError } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { at, kronJobOf } from '../../testing/cluster/samples.js'
import type { Condition } from '../kronjob/index.js'
import { ApiFailure, type ApiFailureDetails } from '../kube/index.js'
import {
  blamed,
  creationTrouble,
  inheritedFlaw,
  inheritedTrouble,
  isDryRunRefused,
  replacementTrouble,
  templateFlaw,
  troubleSince,
  undecidedTrouble,
} from './trouble.js'

const failed = (status: number | null, message = 'no', more: Partial<ApiFailureDetails> = {}) =>
  new ApiFailure(message, { status, ...more })

const refused = (reason = 'Refused', message = 'no') => ({
  condition: 'SchedulingError',
  reason,
  message,
})
const invalid = (message: string, reason = 'JobTemplateInvalid') => ({
  condition: 'InvalidSpec',
  reason,
  message,
})

const strict =
  'Job in version "v1" cannot be handled as a Job: strict decoding error: unknown field "spec.x"'
const denied = 'admission webhook "x" denied the request: no'
const broken = 'Internal error occurred: failed calling webhook "x": refused'
const dryRun = 'admission webhook "x" does not support dry run'

describe('what people have to do something about', () => {
  it.each<[string, unknown, object | null]>([
    ['a quota', failed(403, 'no', { reason: 'Forbidden' }), refused('Forbidden')],
    ['a refusal without a reason', failed(403), refused()],
    ['a namespace that is gone', failed(404), refused()],
    ['a Job that is too large', failed(413), refused()],
    ['a template that is wrong', failed(422), invalid('jobTemplate: no')],
    ['a template that can not be read', failed(400), invalid('jobTemplate: no')],
    [
      'a template with the name of its Job',
      failed(422, 'Job.batch "backup-1" is invalid: spec: Required value'),
      invalid('jobTemplate: spec: Required value'),
    ],
    [
      'a field that nobody knows',
      failed(400, strict),
      invalid(
        'jobTemplate: strict decoding error: unknown field "spec.x"; Jobs are created without this field',
        'JobTemplateUnknownField',
      ),
    ],
    ['a webhook', failed(422, denied), refused('WebhookDenied', denied)],
    ['a webhook that can not be called', failed(500, broken), refused('WebhookFailed', broken)],
    ['a webhook that nobody answers for', failed(null, broken), null],
    ['an error of the server', failed(500), null],
    ['a conflict', failed(409), null],
    ['too many requests', failed(429), null],
    ['a namespace that ends', failed(403, 'no', { causes: ['NamespaceTerminating'] }), null],
    ['something else', new Error('no'), null],
  ])('when a Job is not created: %s', (_, error, expected) => {
    expect(creationTrouble(error)).toEqual(expected)
  })

  it.each<[string, unknown, object | null]>([
    ['a right that is missing', failed(403, 'no', { reason: 'Forbidden' }), refused('Forbidden')],
    ['a request that is wrong', failed(400), refused()],
    ['a Job that can not be changed', failed(422), refused()],
    ['a webhook', failed(400, denied), refused('WebhookDenied', denied)],
    ['a Job that is gone', failed(404), null],
    ['an error of the server', failed(500), null],
    ['something else', new Error('no'), null],
  ])('when a Job is not deleted: %s', (_, error, expected) => {
    expect(replacementTrouble(error)).toEqual(expected)
  })

  it('when nothing could be decided', () => {
    expect(undecidedTrouble(new Error('no'))).toEqual(refused('NoDecision'))
    expect(undecidedTrouble('no')).toEqual(refused('NoDecision'))
  })
})

describe('a template', () => {
  it('is at fault where the API server says so, and nowhere else', () => {
    expect(templateFlaw(failed(422))).toEqual(invalid('jobTemplate: no'))
    expect(templateFlaw(failed(403))).toBeNull()
    expect(templateFlaw(failed(500))).toBeNull()
    expect(templateFlaw(failed(400, dryRun))).toBeNull()
    expect([isDryRunRefused(failed(400, dryRun)), isDryRunRefused(failed(400))]).toEqual([
      true,
      false,
    ])
    expect(isDryRunRefused(new Error(dryRun))).toBe(false)
  })

  it.each([
    [400, ConfigurationError],
    [422, ValidationError],
  ])('that is at fault with %i is to blame', (status, Blame) => {
    const error = failed(status, 'Job.batch "backup-1" is invalid: spec: Required value')
    const blame = blamed(error) as InstanceType<typeof Blame>
    expect(blame).toBeInstanceOf(Blame)
    expect(blame).toMatchObject({
      code: 'KRON_TEMPLATE_INVALID',
      message: 'jobTemplate: spec: Required value',
      details: { field: 'spec.jobTemplate', status },
      cause: error,
    })
  })

  it('is not to blame for anything else', () => {
    for (const error of [failed(403), failed(500), new Error('no')])
      expect(blamed(error)).toBe(error)
  })
})

describe('what the leader before us found', () => {
  const condition = (
    type: Condition['type'],
    reason: string,
    status: Condition['status'] = 'True',
  ): Condition => ({
    type,
    status,
    reason,
    message: 'no',
    lastTransitionTime: '2026-03-01T09:30:00Z',
  })
  const ready = condition('Ready', 'Forbidden')
  const found = (generation: number, ...conditions: readonly Condition[]) => {
    const kronJob = kronJobOf({}, { observedGeneration: 2, conditions }, generation)
    return {
      trouble: inheritedTrouble(kronJob),
      flaw: inheritedFlaw(kronJob),
      since: troubleSince(kronJob),
    }
  }
  const since = at('09:30:00')
  const flawless = { trouble: null, flaw: null, since: null }

  it.each<[string, Condition, object]>([
    [
      'is kept: Jobs are refused',
      condition('SchedulingError', 'Forbidden'),
      { trouble: refused('Forbidden'), flaw: null, since },
    ],
    [
      'is kept: the template is refused',
      condition('InvalidSpec', 'JobTemplateInvalid'),
      { trouble: invalid('no'), flaw: invalid('no'), since },
    ],
    [
      'is kept: the template has an unknown field',
      condition('InvalidSpec', 'JobTemplateUnknownField'),
      { trouble: null, flaw: invalid('no', 'JobTemplateUnknownField'), since: null },
    ],
    [
      'is found again: the window is too large',
      condition('InvalidSpec', 'WindowOverlap'),
      flawless,
    ],
    ['is over', condition('SchedulingError', 'Forbidden', 'False'), flawless],
    ['is over', condition('InvalidSpec', 'JobTemplateInvalid', 'False'), flawless],
    ['is about something else', condition('Suspended', 'JobTemplateInvalid'), flawless],
  ])('%s', (_, last, expected) => {
    expect(found(2, ready, last)).toEqual(expected)
  })

  it('is nothing where there is no status, and is not about another generation', () => {
    expect(found(2)).toEqual(flawless)
    expect(inheritedTrouble(kronJobOf())).toBeNull()
    expect(found(3, condition('SchedulingError', 'Forbidden')).trouble).toBeNull()
  })
})
