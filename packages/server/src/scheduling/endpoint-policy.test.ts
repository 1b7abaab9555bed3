import { limits } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { byCron, byInterval, sampleEndpoint } from '../../testing/sample-endpoint.js'
import type { EndpointDefinition } from '../domain/index.js'
import {
  compileEndpoint,
  effectiveFields,
  endpointPolicy,
  mayHavePolicy,
  type SaidPolicy,
  scheduleOf,
  statedPolicy,
} from './compiled-endpoint.js'

const usual = { concurrency: 'forbid', deadline: limits.deadlineMs, suspend: false, first: 'wait' }

const definitionOf = (change: Partial<EndpointDefinition>): EndpointDefinition =>
  sampleEndpoint(change).definition

/** Of an hourly schedule with this behind it. */
function policyOf(modifiers: string, fields: Partial<EndpointDefinition> = {}, said?: SaidPolicy) {
  const text = `0 * * * * ${modifiers}`.trim()
  const definition = definitionOf({ ...byCron(text), ...fields })
  return endpointPolicy(definition, scheduleOf(definition), text, said)
}

describe('the policy of an endpoint', () => {
  it.each([
    ['nothing', '', {}, {}],
    [
      'its text',
      '@policy(concurrency=allow,deadline=5s)',
      {},
      { concurrency: 'allow', deadline: 5000 },
    ],
    ['its text with spaces', '@policy( deadline = 5s )', {}, { deadline: 5000 }],
    [
      'its text, also of the rest',
      '@policy(suspend=true,first=run)',
      {},
      { suspend: true, first: 'run' },
    ],
    [
      'its fields',
      '',
      { concurrency: 'replace', deadlineMs: 7 },
      { concurrency: 'replace', deadline: 7 },
    ],
    ['a field of no time at all', '', { deadlineMs: 0 }, { deadline: 0 }],
    [
      'both, each of one thing',
      '@policy(deadline=5s)',
      { concurrency: 'allow' },
      { concurrency: 'allow', deadline: 5000 },
    ],
    [
      'both alike',
      '@policy(deadline=5s,concurrency=allow)',
      { concurrency: 'allow', deadlineMs: 5000 },
      { concurrency: 'allow', deadline: 5000 },
    ],
    ['other modifiers only', '@win(after,5m) @seed(stable,salt="@policy(deadline=5s)")', {}, {}],
    [
      'its text beside such a seed',
      '@policy(concurrency=allow) @seed(stable,salt="a\\"@policy(deadline=5s)")',
      {},
      { concurrency: 'allow' },
    ],
  ] as const)('is what %s says', (_name, modifiers, fields, expected) => {
    const { policy, conflicts } = policyOf(modifiers, fields)
    expect(policy).toEqual({ ...usual, ...expected })
    expect(conflicts).toEqual([])
  })

  it('is one for all endpoints that say nothing about it', () => {
    expect(policyOf('').policy).toBe(policyOf('@policy(suspend=false)').policy)
    expect(policyOf('').policy).toBe(endpointPolicy(definitionOf(byInterval(5)), null, null).policy)
  })

  it('is that of the fields where both speak and differ, and both are named', () => {
    const text = '@policy(concurrency=replace,deadline=5m)'
    const { policy, conflicts } = policyOf(text, { concurrency: 'allow', deadlineMs: 1000 })
    expect(policy).toEqual({ ...usual, concurrency: 'allow', deadline: 1000 })
    expect(conflicts).toEqual([
      {
        field: 'concurrency',
        message:
          'concurrency is allow, and @policy in cron says concurrency=replace: say it in one place',
      },
      {
        field: 'deadlineMs',
        message: 'deadlineMs is 1000, and @policy in cron says deadline=5m: say it in one place',
      },
    ])
  })

  it('takes a default for said where somebody has just said it', () => {
    const text = '@policy(concurrency=replace,deadline=5m)'
    const { policy, conflicts } = policyOf(text, {}, { concurrency: 'forbid', deadlineMs: null })
    expect(policy).toEqual({ ...usual, deadline: 300_000 })
    expect(conflicts.map(({ field }) => field)).toEqual(['concurrency'])
  })

  it('is shown without a deadline where that is no limit', () => {
    expect(effectiveFields(policyOf('').policy)).toEqual({
      concurrency: 'forbid',
      deadlineMs: null,
    })
    const { policy } = policyOf('@policy(concurrency=allow,deadline=5s)')
    expect(effectiveFields(policy)).toEqual({ concurrency: 'allow', deadlineMs: 5000 })
  })

  it.each([
    [null, false],
    ['* * * * *', false],
    ['* * * * * @policy(deadline=5s)', true],
  ])('may be in the text %j: %s', (text, expected) => {
    expect(mayHavePolicy(text)).toBe(expected)
  })
})

describe('the policy that is shown', () => {
  it.each([
    ['an interval', byInterval(5), {}],
    ['a schedule without one', byCron('* * * * *'), {}],
    ['a schedule with one', byCron('* * * * * @policy(suspend=true)'), { suspend: true }],
    ['a schedule that can not be read', byCron('no @policy(suspend=true)'), {}],
    ['one in a zone that does not exist', byCron('* * * * * @policy(first=run)', 'No/Where'), {}],
  ])('is that of %s', (_name, change, expected) => {
    const definition = definitionOf({ ...change, concurrency: 'allow' })
    expect(statedPolicy(definition)).toEqual({ ...usual, concurrency: 'allow', ...expected })
  })
})

describe('a run beside one that is under way', () => {
  it.each([
    ['forbid', '', 'held'],
    ['allow', '', 'beside'],
    ['replace', '', 'instead'],
    ['allow', ' @policy(suspend=true)', 'beside'],
    ['replace', ' @policy(suspend=true)', 'instead'],
  ] as const)('of %s%s is %s', (concurrency, modifiers, overlap) => {
    const endpoint = sampleEndpoint({ ...byCron(`* * * * *${modifiers}`), concurrency })
    expect(compileEndpoint(endpoint).overlap).toBe(overlap)
  })
})

describe('a compiled endpoint', () => {
  it('has the periods of its schedule in its zone, seeded by its identity', () => {
    const at = { identity: 'tenant/job/name' }
    const { job, timing } = compileEndpoint(sampleEndpoint(byCron('0 2 * * *', 'Asia/Tokyo'), at))
    expect(job!.nextPeriod(Date.UTC(2026, 2, 1))).toBe(Date.UTC(2026, 2, 1, 17))
    expect(job!.spec.identity).toBe('tenant/job/name')
    expect(timing).toBe(job!.timing)
  })

  it('has no schedule when it has an interval', () => {
    expect(compileEndpoint(sampleEndpoint(byInterval(5)))).toMatchObject({
      job: null,
      timing: null,
    })
  })
})
