import { describe, expect, it } from 'vitest'
import {
  byCron,
  byInterval,
  sampleNow as now,
  sampleEndpoint,
} from '../../testing/sample-endpoint.js'
import { emptyResponse, sampleOutcome } from '../../testing/sample-outcome.js'
import type { EndpointDefinition, Plan } from '../domain/index.js'
import { compileEndpoint } from './compiled-endpoint.js'
import { EndpointPlanning, type PlanningOptions } from './endpoint-planning.js'
import type { Outcome } from './planning.js'
import { newPlan } from './replan.js'

const idOf = (n: number) => `ep_${String(n).padStart(26, '0')}`
const endpoint = (n: number, version = 1, change: Partial<EndpointDefinition> = {}) =>
  sampleEndpoint(change, { id: idOf(n), version })

function planOf(n: number, change: Partial<Plan> = {}): Plan {
  const made = endpoint(n, 1, byInterval(1000))
  return { ...newPlan(made, compileEndpoint(made), now), nextRunAt: now, ...change }
}

function planning(maxDefinitions = 10, readSteering = () => ({ problems: [] })) {
  const broken: [string, unknown][] = []
  const rules = new EndpointPlanning({
    maxDefinitions,
    readSteering,
    onBroken: ({ endpointId }, error) => void broken.push([endpointId, error]),
  })
  return { rules, broken }
}

const unplannable = byCron('no schedule at all')
const success = (plan: Plan, change: Partial<Outcome> = {}): Outcome => {
  const delivery = { ...plan, scheduledFor: now, overlapping: false }
  return sampleOutcome(delivery, now, { response: emptyResponse, ...change })
}
const origin = { source: 'manual', periodId: 'p' } as const
const held = { scheduledFor: now, source: 'manual', leaseUntil: 5, deliveries: 1 } as const
const requested = { at: now, source: 'manual' } as const

describe('the definitions of a worker', () => {
  it('are known by version', () => {
    const { rules } = planning()
    expect(rules.knows(idOf(1), 1)).toBe(false)
    rules.learn(endpoint(1, 1))
    expect(rules.knows(idOf(1), 1)).toBe(true)
    expect(rules.knows(idOf(1), 2)).toBe(false)
    rules.learn(endpoint(1, 2))
    expect(rules.knows(idOf(1), 2)).toBe(true)
    expect(rules.compiled(idOf(1))?.endpoint.version).toBe(2)
    expect(rules.compiled(idOf(2))).toBeNull()
  })

  it('that can not be compiled are known as well, until they are mended', () => {
    const { rules, broken } = planning()
    rules.learn(endpoint(1, 1, unplannable))
    expect(rules.knows(idOf(1), 1)).toBe(true)
    rules.learn(endpoint(1, 2))
    expect(rules.knows(idOf(1), 1)).toBe(false)
    const decision = rules.decideClaim({ plan: planOf(1, { version: 2 }), runsLeft: null }, now)
    expect(decision!.start).not.toBeNull()
    expect(broken).toEqual([])
  })

  it('are forgotten beyond a number, and first those that were not used for longest', () => {
    const { rules } = planning(3)
    for (const n of [1, 2, 3]) rules.learn(endpoint(n))
    expect(rules.knows(idOf(1), 1)).toBe(true)
    rules.learn(endpoint(4))
    expect([1, 2, 3, 4].map((n) => rules.compiled(idOf(n)) !== null)).toEqual([
      true,
      false,
      true,
      true,
    ])
  })

  it('of one batch stay while others of it are learned', () => {
    const { rules, broken } = planning(4)
    for (const n of [1, 2, 3, 4]) rules.learn(endpoint(n))
    const batch = [1, 2, 5, 6]
    const missing = batch.filter((n) => !rules.knows(idOf(n), 1))
    for (const n of missing) rules.learn(endpoint(n))
    for (const n of batch) rules.decideClaim({ plan: planOf(n), runsLeft: null }, now)
    expect(broken).toEqual([])
  })
})

describe('an endpoint that can not be planned', () => {
  it('is set aside for a while, and said so', () => {
    const { rules, broken } = planning()
    rules.learn(endpoint(1, 1, unplannable))
    const decision = rules.decideClaim({ plan: planOf(1), runsLeft: null }, now)!
    expect(decision).toMatchObject({ start: null, ended: [], replaceOthers: false })
    expect(decision.plan).toMatchObject({ nextRunAt: now + 300_000, source: 'paused' })
    expect(broken).toEqual([[idOf(1), expect.objectContaining({ code: 'KRON_CRON_INVALID' })]])
  })

  it('is none that is only left alone', () => {
    const { rules, broken } = planning()
    rules.learn(endpoint(1))
    const plan = planOf(1, { source: 'paused', nextRunAt: now + 1 })
    expect(rules.decideClaim({ plan, runsLeft: null }, now)).toBeNull()
    expect(broken).toEqual([])
  })

  it('that nobody knows is set aside too', () => {
    const { rules, broken } = planning()
    rules.learn(endpoint(1, 2))
    expect(rules.decideClaim({ plan: planOf(1), runsLeft: null }, now)!.start).toBeNull()
    expect(String(broken[0]![1])).toMatch(/the definition is gone/)
  })

  it('leaves no run behind that nobody would end', () => {
    const { rules } = planning()
    rules.learn(endpoint(1, 1, unplannable))
    const plan = planOf(1, { held, requested: { ...requested, at: now + 1 } })
    const decision = rules.decideClaim({ plan, runsLeft: null }, now)!
    expect(decision.ended).toMatchObject([
      { scheduledFor: now, reason: 'worker_lost', wasRunning: true },
      {
        scheduledFor: now + 1,
        reason: 'unplannable',
        wasRunning: true,
        error: { code: 'unplannable', message: 'the endpoint can not be planned' },
      },
    ])
    expect(decision.plan).toMatchObject({ held: null, requested: null })
  })

  it('has its outcomes written all the same', () => {
    const { rules, broken } = planning()
    rules.learn(endpoint(1, 1, unplannable))
    const plan = planOf(1, { held, requested: { ...requested, at: now + 1 } })
    const decision = rules.decideOutcome(plan, success(plan), origin, now, null)
    expect(decision.plan).toMatchObject({ held: null, requested: null, source: 'paused' })
    expect(decision.ended).toMatchObject([{ scheduledFor: now + 1, reason: 'unplannable' }])
    expect(decision).toMatchObject({ attention: null, notes: [] })
    expect(broken).toHaveLength(1)
    const back = rules.decideOutcome(plan, success(plan, { status: 'released' }), origin, now, null)
    expect(back.ended).toMatchObject([{ scheduledFor: now }, { scheduledFor: now + 1 }])
  })

  it('is not set aside by a run that others may overlap', () => {
    const { rules } = planning()
    rules.learn(endpoint(1, 1, unplannable))
    const plan = planOf(1)
    const outcome = success(plan, { overlapping: true })
    const decision = rules.decideOutcome(plan, outcome, origin, now, null)
    expect(decision).toEqual({ plan, ended: [], attention: null, notes: [] })
    expect(decision.plan).toBe(plan)
  })

  it('is one whose steering can not be read', () => {
    const { rules, broken } = planning(10, () => {
      throw new Error('unreadable')
    })
    rules.learn(endpoint(1, 1, { steering: true }))
    const plan = planOf(1, { held })
    rules.decideOutcome(plan, success(plan), origin, now, null)
    expect(String(broken[0]![1])).toMatch(/unreadable/)
  })
})

describe('periods that had to start before the schedule counted', () => {
  const noon = now - 30_000
  const made = endpoint(1, 1, byCron('* * * * *'))
  const compiled = compileEndpoint(made)
  const due = { nextRunAt: noon, periodId: '2026-03-01T12:00:00Z' }

  function decided(since: number, onNotResponsible?: PlanningOptions['onNotResponsible']) {
    const rules = new EndpointPlanning({
      maxDefinitions: 1,
      readSteering: () => ({ problems: [] }),
      onBroken: (_, error) => {
        throw error
      },
      ...(onNotResponsible && { onNotResponsible }),
    })
    rules.learn(made)
    const responsibility = { timing: compiled.timing!, since }
    const plan = { ...newPlan(made, compiled, now), ...due, responsibility }
    return rules.decideClaim({ plan, runsLeft: null }, now)
  }

  it('are passed over, and named to who wants to know', () => {
    const passed: (readonly string[])[] = []
    const tell = (_: Plan, periods: readonly string[]) => void passed.push(periods)
    const next = { start: null, ended: [], plan: { nextRunAt: noon + 60_000 } }
    expect(decided(noon + 1, tell)).toMatchObject(next)
    expect(passed).toEqual([['2026-03-01T12:00:00Z']])
    expect(decided(noon + 1)).toMatchObject(next)
  })

  it('are not named where there are none', () => {
    const passed: (readonly string[])[] = []
    const decision = decided(noon, (_, periods) => void passed.push(periods))
    expect(decision).toMatchObject({ start: { scheduledFor: noon } })
    expect(passed).toEqual([])
  })
})
