import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { failure } from '../../test/failure.js'
import { compileJob } from '../decision/index.js'
import type { PolicyInput } from '../definition/index.js'
import { errorCodes, type KronError } from '../errors/index.js'
import { type Decided, type Evaluation, evaluate, type Verdict } from './evaluate.js'

const nominal = Date.UTC(2026, 2, 1)
const chosen = nominal + 60_000

const decided: Decided = {
  nominalTime: nominal,
  windowStart: nominal,
  chosenTime: chosen,
}

const unschedulable: Decided = {
  nominalTime: nominal,
  windowStart: nominal - 5000,
  chosenTime: null,
  reason: 'no candidate accepted within MaxAttempts',
}

const ask = (input: Partial<Evaluation> & { policy?: PolicyInput }): Verdict =>
  evaluate({
    decision: decided,
    policy: { concurrency: 'forbid', deadline: 0, suspend: false },
    now: chosen,
    handledThrough: null,
    active: false,
    ...input,
  })

describe('a period that is due', () => {
  it.each([
    ['waits until the chosen time', { now: chosen - 1 }, { kind: 'wait', until: chosen }],
    ['waits from long before', { now: 0 }, { kind: 'wait', until: chosen }],
    ['starts in the chosen second', { now: chosen }, { kind: 'execute', replace: false }],
    [
      'is on time to the end of that second',
      { now: chosen + 999 },
      { kind: 'execute', replace: false },
    ],
  ] as const)('%s', (_, input, verdict) => {
    expect(ask(input)).toEqual(verdict)
  })

  it('is missed from the next second on when the deadline is 0s', () => {
    expect(ask({ now: chosen + 1000 })).toEqual({ kind: 'missed', reason: '1s late, deadline 0s' })
  })

  it.each([
    [600_000, 'execute'],
    [600_999, 'execute'],
    [601_000, 'missed'],
  ] as const)('with a deadline of 10m and %i ms late is %s', (late, kind) => {
    const policy: PolicyInput = { concurrency: 'forbid', deadline: '10m', suspend: false }
    expect(ask({ policy, now: chosen + late }).kind).toBe(kind)
  })

  it('says how late it was missed', () => {
    const policy = { concurrency: 'allow', deadline: 30_000, suspend: false } as const
    expect(ask({ policy, now: chosen + 90_500 })).toEqual({
      kind: 'missed',
      reason: '1m30s late, deadline 30s',
    })
  })
})

describe('concurrency', () => {
  it.each([
    ['allow', false, { kind: 'execute', replace: false }],
    ['allow', true, { kind: 'execute', replace: false }],
    ['forbid', false, { kind: 'execute', replace: false }],
    ['forbid', true, { kind: 'skipped', reason: 'concurrency' }],
    ['replace', false, { kind: 'execute', replace: false }],
    ['replace', true, { kind: 'execute', replace: true }],
  ] as const)('%s while active=%s', (concurrency, active, verdict) => {
    const policy = { concurrency, deadline: 0, suspend: false }
    expect(ask({ policy, active })).toEqual(verdict)
  })

  it('is not asked about before the chosen time or after the deadline', () => {
    expect(ask({ active: true, now: chosen - 1 }).kind).toBe('wait')
    expect(ask({ active: true, now: chosen + 1000 }).kind).toBe('missed')
  })

  it('forbids by default', () => {
    expect(ask({ policy: {}, active: true })).toEqual({ kind: 'skipped', reason: 'concurrency' })
  })
})

describe('the order of the questions', () => {
  const suspend: PolicyInput = { concurrency: 'forbid', deadline: 0, suspend: true }

  it('suspension comes first and handles nothing', () => {
    const everything = { policy: suspend, active: true, handledThrough: nominal, now: chosen + 9e9 }
    expect(ask(everything)).toEqual({ kind: 'suspended' })
    expect(ask({ policy: suspend, decision: unschedulable })).toEqual({ kind: 'suspended' })
  })

  it('a handled period stays handled, at any time', () => {
    for (const now of [0, nominal, chosen, chosen + 1000]) {
      expect(ask({ handledThrough: nominal, now })).toEqual({ kind: 'handled' })
      expect(ask({ handledThrough: nominal + 1, now })).toEqual({ kind: 'handled' })
      expect(ask({ decision: unschedulable, handledThrough: nominal, now })).toEqual({
        kind: 'handled',
      })
    }
  })

  it('an earlier handled period does not count, nor does none at all', () => {
    const start = { kind: 'execute', replace: false }
    expect(ask({ handledThrough: nominal - 1 })).toEqual(start)
    const in1969 = { nominalTime: -60_000, windowStart: -60_000, chosenTime: -60_000 }
    expect(ask({ decision: in1969, now: -60_000 })).toEqual(start)
  })

  it('an unschedulable period ends when its window opens, not earlier', () => {
    const until = unschedulable.windowStart
    expect(ask({ decision: unschedulable, now: until - 1 })).toEqual({ kind: 'wait', until })
    const verdict = { kind: 'unschedulable', reason: unschedulable.reason }
    expect(ask({ decision: unschedulable, now: until })).toEqual(verdict)
    expect(ask({ decision: unschedulable, now: until + 9e9, active: true })).toEqual(verdict)
    const { reason: _, ...unexplained } = unschedulable
    expect(ask({ decision: unexplained })).toEqual({ kind: 'unschedulable', reason: 'unknown' })
  })

  it('a later window that has opened supersedes a period that was not triggered', () => {
    const skipped = { kind: 'skipped', reason: 'superseded' }
    const supersededAt = chosen - 10_000
    expect(ask({ supersededAt, now: supersededAt })).toEqual(skipped)
    expect(ask({ supersededAt, now: chosen + 5000, policy: { deadline: '5s' } })).toEqual(skipped)
    expect(ask({ supersededAt, now: supersededAt - 1 })).toEqual({ kind: 'wait', until: chosen })
    expect(ask({ supersededAt: null })).toEqual({ kind: 'execute', replace: false })
    expect(ask({ supersededAt, now: chosen, handledThrough: nominal }).kind).toBe('handled')
    expect(ask({ supersededAt, decision: unschedulable, now: chosen }).kind).toBe('unschedulable')
  })
})

describe('a period that is late and superseded', () => {
  const supersededAt = chosen + 5000
  const policy: PolicyInput = { deadline: '10s' }

  it.each([
    [4999, 'execute'],
    [5000, 'skipped'],
    [10_999, 'skipped'],
    [11_000, 'missed'],
    [86_400_000, 'missed'],
  ] as const)('%i ms after its chosen time is %s: the deadline is judged first', (late, kind) => {
    expect(ask({ policy, supersededAt, now: chosen + late }).kind).toBe(kind)
    expect(ask({ policy, supersededAt, now: chosen + late, active: true }).kind).toBe(
      kind === 'execute' ? 'skipped' : kind,
    )
  })
})

describe('responsibility', () => {
  const policy: PolicyInput = { deadline: '24h' }
  const late = { policy, now: chosen + 60_000 }

  it('is not taken for what had to start before it began, whatever the deadline', () => {
    for (const now of [nominal, chosen, chosen + 1000, chosen + 9e9]) {
      expect(ask({ policy, now, responsibleSince: chosen + 1 })).toEqual({ kind: 'notResponsible' })
    }
  })

  it('is taken from the very instant on', () => {
    expect(ask({ ...late, responsibleSince: chosen }).kind).toBe('execute')
    expect(ask({ ...late, responsibleSince: chosen - 1 }).kind).toBe('execute')
  })

  it('is without a beginning when none is given', () => {
    expect(ask({ ...late, responsibleSince: null }).kind).toBe('execute')
    expect(ask({ ...late }).kind).toBe('execute')
  })

  it('is judged by the start of the window where no time was chosen', () => {
    const now = unschedulable.windowStart
    const since = (responsibleSince: number) =>
      ask({ decision: unschedulable, now, responsibleSince }).kind
    expect(since(now + 1)).toBe('notResponsible')
    expect(since(now)).toBe('unschedulable')
  })

  it('does not matter to who wants the first period run', () => {
    const first = { deadline: '24h', first: 'run' } as const
    expect(ask({ ...late, policy: first, responsibleSince: chosen + 1 }).kind).toBe('execute')
    expect(ask({ policy: { first: 'run' }, now: chosen + 1000, responsibleSince: 9e12 }).kind).toBe(
      'missed',
    )
  })

  it('comes after suspension and what was handled, and before every outcome', () => {
    const responsibleSince = chosen + 1
    const suspend: PolicyInput = { suspend: true }
    expect(ask({ policy: suspend, responsibleSince }).kind).toBe('suspended')
    expect(ask({ handledThrough: nominal, responsibleSince }).kind).toBe('handled')
    const supersededAt = chosen - 1000
    expect(ask({ supersededAt, active: true, responsibleSince }).kind).toBe('notResponsible')
  })
})

describe('windows that touch', () => {
  const policy: PolicyInput = { deadline: '1h' }

  it('leave their common second to the earlier period', () => {
    const touching = { policy, supersededAt: chosen }
    expect(ask({ ...touching, now: chosen - 1 })).toEqual({ kind: 'wait', until: chosen })
    expect(ask({ ...touching, now: chosen })).toEqual({ kind: 'execute', replace: false })
    expect(ask({ ...touching, now: chosen + 999 })).toEqual({ kind: 'execute', replace: false })
    expect(ask({ ...touching, now: chosen + 1000 })).toEqual({
      kind: 'skipped',
      reason: 'superseded',
    })
  })

  it('give no more time than that to a period that is late', () => {
    const supersededAt = chosen + 5000
    expect(ask({ policy, supersededAt, now: chosen + 4999 }).kind).toBe('execute')
    expect(ask({ policy, supersededAt, now: chosen + 5000 }).kind).toBe('skipped')
  })
})

describe('bad input', () => {
  const nothing = undefined as never
  it.each([
    ['now', { now: Number.NaN }],
    ['now', { now: 1.5 }],
    ['handledThrough', { handledThrough: Number.POSITIVE_INFINITY }],
    ['handledThrough', { handledThrough: nothing }],
    ['supersededAt', { supersededAt: 0.5 }],
    ['responsibleSince', { responsibleSince: 'now' as never }],
    ['active', { active: 1 as never }],
    ['decision', { decision: null as never }],
    ['decision', { decision: 'x' as never }],
    ['decision.nominalTime', { decision: { ...decided, nominalTime: Number.NaN } }],
    ['decision.windowStart', { decision: { ...decided, windowStart: nothing } }],
    ['decision.chosenTime', { decision: { ...decided, chosenTime: nothing } }],
    ['policy.concurrency', { policy: { concurrency: 'never' as never, deadline: 0 } }],
    ['policy.deadline', { policy: { concurrency: 'allow', deadline: -1, suspend: false } }],
    ['policy.deadline', { policy: { concurrency: 'allow', deadline: Number.NaN, suspend: false } }],
    ['policy.suspend', { policy: { concurrency: 'allow', deadline: 0, suspend: 'no' as never } }],
    ['policy', { policy: 7 as never }],
  ] as const)('names the field %s', (field, input) => {
    expectNamed(
      failure(() => ask(input as Partial<Evaluation>)),
      field,
    )
  })

  it('is refused even when it is no object at all', () => {
    for (const input of [undefined, null, 5, 'x']) {
      expectNamed(
        failure(() => evaluate(input as never)),
        'evaluation',
      )
    }
  })

  function expectNamed({ details, message, code }: KronError, field: string): void {
    expect(details.field).toBe(field)
    expect(message).toMatch(new RegExp(`^${field} must (not )?be \\S`))
    expect(details.allowed).toMatch(/\S/)
    expect(details).toHaveProperty('value')
    expect(Object.keys(errorCodes)).toContain(code)
  }
})

describe('for all orders of calls', () => {
  const job = compileJob({
    identity: 'verdicts',
    schedule: '0 2 * * *',
    timezone: 'America/New_York',
    window: { mode: 'around', duration: '24h' },
    constraints: { only: ['hours=0-11'] },
  })
  const dstDay = Date.UTC(2026, 2, 8)

  const call = fc.record({
    step: fc.integer({ min: -90_000_000, max: 90_000_000 }),
    active: fc.boolean(),
    suspend: fc.boolean(),
    concurrency: fc.constantFrom('allow', 'forbid', 'replace'),
    deadline: fc.constantFrom(0, 60_000, 86_400_000),
    supersede: fc.boolean(),
  })

  it('a period has one terminal outcome, is never started twice, and periods end in order', () => {
    const check = fc.property(fc.array(call, { minLength: 1, maxLength: 60 }), (calls) => {
      const outcomes = new Map<number, string>()
      let handledThrough: number | null = null
      let now = dstDay
      for (const { step, active, suspend, concurrency, deadline, supersede } of calls) {
        now += step
        const period = job.currentPeriod(now)!
        const policy = { concurrency, deadline, suspend } as const
        const supersededAt = supersede ? job.supersededAt(period) : null
        const decision = job.decide(period)
        const verdict = evaluate({ decision, policy, now, handledThrough, active, supersededAt })
        if (suspend) expect(verdict.kind).toBe('suspended')
        if (verdict.kind === 'suspended' || verdict.kind === 'wait') continue
        if (verdict.kind === 'handled') {
          expect(handledThrough).toBeGreaterThanOrEqual(period)
          continue
        }
        if (verdict.kind === 'execute') {
          expect(now).toBeGreaterThanOrEqual(decision.chosenTime!)
          expect(Math.floor(now / 1000) * 1000).toBeLessThanOrEqual(decision.chosenTime! + deadline)
        }
        expect(outcomes.has(period)).toBe(false)
        expect(period).toBeGreaterThan(handledThrough ?? Number.NEGATIVE_INFINITY)
        outcomes.set(period, verdict.kind)
        handledThrough = period
      }
    })
    fc.assert(check, { numRuns: 2000, seed: 20_260_301 })
  })
})
