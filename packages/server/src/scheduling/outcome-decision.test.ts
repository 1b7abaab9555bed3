import { formatInstant } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { byCron, byInterval, sampleNow as now, samplePlan } from '../../testing/sample-endpoint.js'
import { emptyResponse, sampleOutcome } from '../../testing/sample-outcome.js'
import type { EndpointDefinition, HeldRun, Plan, RunSource } from '../domain/index.js'
import { decideOutcome } from './outcome-decision.js'
import type { Outcome } from './planning.js'

const minute = 60_000
const hour = 3_600_000
const noon = now - 30_000

const held = (source: RunSource = 'baseline-interval', scheduledFor = noon): HeldRun => ({
  scheduledFor,
  source,
  leaseUntil: now + minute,
  deliveries: 1,
})

interface Told {
  readonly source?: RunSource
  readonly periodId?: string
  readonly steering?: object
}

function decide(
  change: Partial<EndpointDefinition>,
  planned: Partial<Plan>,
  ended: Partial<Outcome> = {},
  { source = 'baseline-interval', periodId = 'p', steering = {} }: Told = {},
) {
  const { plan, compiled } = samplePlan(change, { held: held(source), fence: 4, ...planned })
  const delivery = { ...plan, scheduledFor: noon, fence: 4, overlapping: false }
  const given = { startedAt: noon + 7, response: emptyResponse, ...ended }
  const outcome = sampleOutcome(delivery, now, given)
  const reading = { readSteering: () => ({ problems: [], ...steering }), memory: null }
  return decideOutcome(plan, outcome, { source, periodId }, compiled, now, reading)
}

describe('failures', () => {
  it.each([
    ['reset', 'success', 3, 0],
    ['reset', 'failure', 3, 4],
    ['reset', 'timeout', 0, 1],
    ['reset', 'cancelled', 3, 3],
    ['increment', 'success', 3, 3],
    ['increment', 'failure', 3, 4],
    ['increment', 'timeout', 3, 4],
    ['increment', 'cancelled', 3, 3],
  ] as const)('by policy %s after %s: %i -> %i', (failureCountPolicy, status, before, after) => {
    const { plan } = decide({ failureCountPolicy }, { failureCount: before }, { status })
    expect(plan).toMatchObject({ failureCount: after, lastStatus: status })
  })

  it.each([
    ['reset', 'failure', { failureCount: 0, lastStatus: 'success' }, 'failure'],
    ['reset', 'timeout', { failureCount: 5, lastStatus: 'failure' }, 'failure'],
    ['reset', 'success', { failureCount: 0, lastStatus: 'success' }, null],
    ['reset', 'success', { failureCount: 1, lastStatus: 'failure' }, 'recovery'],
    ['reset', 'success', { failureCount: 1, lastStatus: 'cancelled' }, 'recovery'],
    ['increment', 'success', { failureCount: 9, lastStatus: 'timeout' }, 'recovery'],
    ['increment', 'success', { failureCount: 9, lastStatus: 'failure' }, 'recovery'],
    ['increment', 'success', { failureCount: 9, lastStatus: 'success' }, null],
    ['reset', 'cancelled', { failureCount: 1, lastStatus: 'failure' }, null],
  ] as const)('by policy %s, %s after %j asks for %s', (policy, status, before, attention) => {
    const decision = decide({ failureCountPolicy: policy }, before, { status })
    expect(decision.attention).toBe(attention)
  })
})

describe('the next plan', () => {
  it('counts from when the run began', () => {
    const { plan, ended } = decide(byInterval(hour), {})
    expect(plan).toMatchObject({
      held: null,
      lastRunAt: noon + 7,
      nextRunAt: noon + 7 + hour,
      source: 'baseline-interval',
      fence: 4,
    })
    expect(ended).toEqual([])
  })

  it('is now after a run that took longer than its interval', () => {
    expect(decide(byInterval(1000), {}).plan.nextRunAt).toBe(now)
  })

  it('comes after periods that are written down as skipped', () => {
    const since = noon - 2 * minute
    const planned = { held: held('baseline-cron', since), nextRunAt: since, handledThrough: since }
    const { plan, ended } = decide(byCron('* * * * *'), planned, { scheduledFor: since })
    expect(ended.map((row) => [row.scheduledFor, row.status, row.reason])).toEqual([
      [noon - minute, 'skipped', 'concurrency'],
      [noon, 'skipped', 'concurrency'],
    ])
    expect(plan).toMatchObject({ nextRunAt: noon + minute, handledThrough: noon })
  })

  it('leaves a row for a period that came while a run was under way that was asked for', () => {
    const since = noon - 10_000
    const planned = {
      held: held('manual', since),
      nextRunAt: noon,
      periodId: formatInstant(noon),
      handledThrough: since,
    }
    const outcome = { scheduledFor: since }
    const { ended } = decide(byCron('* * * * *'), planned, outcome, { source: 'manual' })
    expect(ended).toMatchObject([
      { scheduledFor: noon, periodId: formatInstant(noon), reason: 'concurrency' },
    ])
    const suspended = { ...planned, nextRunAt: null, suspended: true }
    expect(decide(byCron('* * * * *'), suspended, outcome, { source: 'manual' }).ended).toEqual([])
  })

  it('is none while suspended', () => {
    expect(decide(byInterval(hour), { suspended: true }).plan.nextRunAt).toBeNull()
  })

  it('is left alone by a run that others may overlap', () => {
    const planned = { held: null, nextRunAt: now + 5, lastRunAt: 77 }
    const decision = decide({}, planned, { overlapping: true, status: 'failure' })
    expect(decision.plan).toMatchObject({ ...planned, failureCount: 1, lastStatus: 'failure' })
    expect(decision.ended).toEqual([])
  })
})

describe('steering', () => {
  const steering = { nextRunAt: now + minute, intervalMs: 5000, intervalTtlMs: 9 }
  it('becomes hints with a reason that expire', () => {
    const { plan } = decide({ steering: true, ...byInterval(hour) }, {}, {}, { steering })
    expect(plan).toMatchObject({ nextRunAt: now + minute, source: 'ai-oneshot' })
    expect(plan.oneShotHint).toEqual({
      nextRunAt: now + minute,
      expiresAt: now + hour,
      reason: 'Kron-Next-Run of the response',
      by: 'response',
    })
    expect(plan.intervalHint).toMatchObject({ intervalMs: 5000, expiresAt: now + 9 })
  })

  it('is nobody’s business where the endpoint does not allow it', () => {
    const { plan } = decide({ steering: false, ...byInterval(hour) }, {}, {}, { steering })
    expect(plan).toMatchObject({ oneShotHint: null, intervalHint: null })
  })

  it.each([
    ['long past', now - hour],
    ['of when the run began', noon + 7],
    ['of the very moment', now],
    ['of the same second', Math.floor(now / 1000) * 1000 + 999],
  ])('that is %s is no hint, and is noted in the run', (_, nextRunAt) => {
    const change = { steering: true, ...byInterval(hour) }
    const { plan, notes } = decide(change, {}, {}, { steering: { nextRunAt } })
    expect(plan).toMatchObject({ oneShotHint: null, source: 'baseline-interval' })
    expect(plan.nextRunAt).toBe(noon + 7 + hour)
    expect(notes).toEqual([expect.stringContaining('is not after the run itself')])
  })

  it('of the next second is a hint', () => {
    const nextRunAt = Math.floor(now / 1000) * 1000 + 1000
    const change = { steering: true, ...byInterval(hour) }
    const { plan, notes } = decide(change, {}, {}, { steering: { nextRunAt } })
    expect([plan.nextRunAt, notes]).toEqual([nextRunAt, []])
  })

  it.each([
    ['an hour', byInterval(hour), 999, false],
    ['an hour', byInterval(hour), 1000, true],
    ['a cron', byCron('0 * * * *'), 1, false],
    ['50 ms', byInterval(50), 50, true],
    ['50 ms', byInterval(50), 49, false],
  ])('of an interval, where the baseline is %s', (_, change, intervalMs, isHint) => {
    const steering = { intervalMs }
    const { plan, notes } = decide({ steering: true, ...change }, {}, {}, { steering })
    expect([plan.intervalHint !== null, notes.length]).toEqual([isHint, isHint ? 0 : 1])
  })

  it('that could not be read is noted in the run', () => {
    const problems = ['Kron-Interval: no duration']
    const { notes } = decide({ steering: true }, {}, {}, { steering: { problems } })
    expect(notes).toEqual(problems)
  })

  it('needs a response', () => {
    const { plan } = decide({ steering: true }, {}, { response: null }, { steering })
    expect(plan.oneShotHint).toBeNull()
  })

  it.each([
    ['both hints', steering, now + minute, 'ai-oneshot'],
    ['a one-shot', { nextRunAt: now + minute }, now + minute, 'ai-oneshot'],
    ['an interval', { intervalMs: 5000 }, now + 5000, 'ai-interval'],
    ['nothing', {}, now + hour, 'baseline-interval'],
  ])('of a run that others may overlap moves the next one: %s', (_, said, nextRunAt, source) => {
    const planned = { held: null, nextRunAt: now + hour, handledThrough: noon, lastRunAt: now }
    const told = { steering: said }
    const { plan } = decide({ steering: true }, planned, { overlapping: true }, told)
    expect(plan).toMatchObject({ nextRunAt, source })
  })

  it('of a run that others may overlap must be in reach of the last run, not of this one', () => {
    const steering = { nextRunAt: now + minute, nextRunTtlMs: hour - 10_000 }
    const change = { steering: true, minIntervalMs: hour }
    const planned = { held: null, nextRunAt: now + hour, lastRunAt: now }
    const hint = (overlapping: boolean) =>
      decide(change, planned, { overlapping }, { steering }).plan.oneShotHint
    expect(hint(true)).toBeNull()
    expect(hint(false)).not.toBeNull()
  })
})

describe('a run that is released', () => {
  const released = { status: 'released' } as const
  it('is planned as it was', () => {
    const before = { failureCount: 2, lastRunAt: 5, lastStatus: 'failure', handledThrough: noon }
    const { plan, ended, attention, notes } = decide({}, before, released)
    expect(plan).toMatchObject({
      ...before,
      held: null,
      nextRunAt: noon,
      source: 'baseline-interval',
      periodId: 'p',
      handledThrough: noon - 1,
      fence: 4,
    })
    expect({ ended, attention, notes }).toEqual({ ended: [], attention: null, notes: [] })
  })

  it('waits for a pause', () => {
    const { plan } = decide({}, { pausedUntil: now + 1, handledThrough: noon }, released)
    expect(plan).toMatchObject({ nextRunAt: now + 1, source: 'paused', handledThrough: noon - 1 })
    const over = decide({}, { pausedUntil: now, handledThrough: noon }, released)
    expect(over.plan.nextRunAt).toBe(noon)
  })

  it('is asked for again', () => {
    const { plan } = decide({}, { nextRunAt: now + 5 }, released, { source: 'replay' })
    const requested = { at: noon, source: 'replay' }
    expect(plan).toMatchObject({ held: null, nextRunAt: now + 5, requested })
  })

  it('gives way to a run that was asked for since', () => {
    const requested = { at: noon + 3, source: 'manual' } as const
    const { plan, ended } = decide({}, { requested }, released, { source: 'manual' })
    expect(plan.requested).toEqual(requested)
    expect(ended).toMatchObject([
      { scheduledFor: noon, status: 'cancelled', reason: 'superseded', wasRunning: true },
    ])
  })

  it('and may overlap is planned again unless a later one was handled', () => {
    const overlapping = { ...released, overlapping: true }
    const free = { held: null, nextRunAt: now + hour }
    const { plan } = decide({}, { ...free, handledThrough: noon }, overlapping)
    const again = { nextRunAt: noon, periodId: 'p', handledThrough: noon - 1 }
    expect(plan).toMatchObject({ ...again, source: 'baseline-interval' })
    const later = decide({}, { ...free, handledThrough: noon + 1 }, overlapping)
    expect(later.plan).toMatchObject({ ...free, handledThrough: noon + 1 })
    expect(later.ended).toMatchObject([
      { scheduledFor: noon, status: 'skipped', reason: 'superseded', wasRunning: false },
    ])
  })

  it.each([
    ['in their order', [now + 1000, now + 2000, now + 3000]],
    ['the last one first', [now + 3000, now + 2000, now + 1000]],
  ])('and may overlap is planned again with those released after it, %s', (_, given) => {
    const change = { ...byCron('* * * * * *'), concurrency: 'allow' } as const
    const overlapping = { ...released, overlapping: true }
    let plan: Partial<Plan> = { held: null, nextRunAt: now + 4000, handledThrough: now + 3000 }
    for (const scheduledFor of given) {
      const origin = { source: 'baseline-cron', periodId: formatInstant(scheduledFor) } as const
      const decision = decide(change, plan, { ...overlapping, scheduledFor }, origin)
      expect(decision.ended).toEqual([])
      plan = decision.plan
    }
    const periodId = formatInstant(now + 1000)
    expect(plan).toMatchObject({ nextRunAt: now + 1000, periodId, handledThrough: now + 999 })
  })

  it.each([
    ['nothing comes after it', 'baseline-cron', { nextRunAt: null }],
    ['only later ones are planned', 'baseline-cron', { nextRunAt: now + 2000 }],
    ['the schedule would not bring it again', 'ai-oneshot', { nextRunAt: now + 500 }],
    [
      'a hint is planned before it',
      'baseline-cron',
      { nextRunAt: now + 500, source: 'ai-oneshot' },
    ],
  ] as const)('and may overlap is planned again where %s', (_, source, planned) => {
    const change = { ...byCron('* * * * * *'), concurrency: 'allow' } as const
    const outcome = { ...released, overlapping: true, scheduledFor: now + 1000 }
    const { plan } = decide(change, { held: null, ...planned }, outcome, { source })
    expect(plan).toMatchObject({ nextRunAt: now + 1000, source, handledThrough: now + 999 })
  })

  it.each([
    ['is planned again beside', 'allow', { nextRunAt: noon, handledThrough: noon - 1 }, []],
    ['gives way to', 'forbid', { nextRunAt: now + hour }, [{ reason: 'concurrency' }]],
  ] as const)(
    'and may overlap %s a later one that was claimed early',
    (_, concurrency, plan, ended) => {
      const planned = { held: null, nextRunAt: now + hour, handledThrough: now + 5000 }
      const decision = decide({ concurrency }, planned, { ...released, overlapping: true })
      expect(decision).toMatchObject({ plan, ended })
      expect(decision.ended).toHaveLength(ended.length)
    },
  )
})
