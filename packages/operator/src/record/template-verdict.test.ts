import { describe, expect, it } from 'vitest'
import { at, kronJobOf } from '../../testing/cluster/samples.js'
import type { Condition, KronJobStatus } from '../kronjob/index.js'
import { TemplateVerdict } from './template-verdict.js'

const seenAt = at('10:00:00')
const refused = { condition: 'InvalidSpec', reason: 'JobTemplateInvalid', message: 'no' } as const
const unknownField = { ...refused, reason: 'JobTemplateUnknownField' } as const

const verdictOf = (status?: KronJobStatus, generation = 2): TemplateVerdict =>
  new TemplateVerdict(kronJobOf({}, status, generation), seenAt)

const told = ({ isKnown, flaw, warning, askAt }: TemplateVerdict) => ({
  isKnown,
  flaw,
  warning,
  askAt,
})

const condition = (reason: string, status: Condition['status']): Condition => ({
  type: 'InvalidSpec',
  status,
  reason,
  message: 'no',
  lastTransitionTime: '2026-03-01T09:00:00Z',
})
const unknown = { isKnown: false, flaw: null, warning: null, askAt: Number.NEGATIVE_INFINITY }
const known = { isKnown: true, flaw: null, warning: null, askAt: null }

describe('the verdict on a template', () => {
  it.each<[string, KronJobStatus | undefined, object]>([
    ['is not known of a new one', undefined, unknown],
    ['is not known of one that was edited since', { checkedGeneration: 1 }, unknown],
    ['is known from the status', { checkedGeneration: 2 }, known],
    [
      'is taken over with its flaw',
      { checkedGeneration: 2, conditions: [condition('JobTemplateInvalid', 'True')] },
      { ...known, flaw: refused },
    ],
    [
      'is taken over with its warning',
      { checkedGeneration: 2, conditions: [condition('ValidWithWarnings', 'False')] },
      { ...known, warning: 'no' },
    ],
    [
      'of another generation is not taken over',
      {
        checkedGeneration: 1,
        conditions: [
          condition('JobTemplateInvalid', 'True'),
          condition('ValidWithWarnings', 'False'),
        ],
      },
      unknown,
    ],
  ])('%s', (_, status, expected) => {
    expect(told(verdictOf(status))).toEqual(expected)
  })

  it('is settled with or without a flaw, until the next generation', () => {
    const verdict = verdictOf()
    verdict.settle(refused, 'deprecated')
    expect(told(verdict)).toEqual({ ...known, flaw: refused, warning: 'deprecated' })
    verdict.settle(null)
    expect(told(verdict)).toEqual(known)
    verdict.settle(refused, 'deprecated')
    verdict.renew(seenAt)
    expect(told(verdict)).toEqual(unknown)
  })

  it('is asked for later and later, up to an hour, and the first time is said', () => {
    const verdict = verdictOf()
    const delays = Array.from({ length: 12 }, () => {
      const isFirst = verdict.putOff(seenAt)
      return [isFirst, (verdict.askAt! - seenAt) / 1000]
    })
    expect(delays.map(([, seconds]) => seconds)).toEqual([
      5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600,
    ])
    expect(delays.map(([isFirst]) => isFirst)).toEqual([true, ...Array(11).fill(false)])
    verdict.renew(seenAt)
    expect(verdict.askAt).toBe(Number.NEGATIVE_INFINITY)
    expect(verdict.putOff(seenAt)).toBe(true)
    expect(verdict.askAt).toBe(seenAt + 5000)
  })

  it('is waited for five seconds, unless it is known or could not be had', () => {
    const verdict = verdictOf()
    expect(verdict.awaitedUntil(seenAt)).toBe(seenAt + 5000)
    expect(verdict.awaitedUntil(seenAt + 4999)).toBe(seenAt + 5000)
    expect(verdict.awaitedUntil(seenAt + 5000)).toBeNull()
    verdict.putOff(seenAt)
    expect(verdict.awaitedUntil(seenAt)).toBeNull()
    verdict.renew(seenAt + 60_000)
    expect(verdict.awaitedUntil(seenAt + 60_000)).toBe(seenAt + 65_000)
    verdict.settle(null)
    expect(verdict.awaitedUntil(seenAt + 60_000)).toBeNull()
  })

  it('is disproved by a Job that was created, but for fields that are left out of it', () => {
    const verdict = verdictOf()
    verdict.prove()
    verdict.settle(refused, 'deprecated')
    verdict.prove()
    expect(told(verdict)).toEqual({ ...known, warning: 'deprecated' })
    verdict.settle(unknownField)
    verdict.prove()
    expect(verdict.flaw).toBe(unknownField)
  })
})
