import { describe, expect, it } from 'vitest'
import { byCron, byInterval, sampleNow, samplePlan } from '../../testing/sample-endpoint.js'
import type { EndpointDefinition, Plan } from '../domain/index.js'
import { decideClaim } from './claim-decision.js'
import { previewPlans } from './coming-plan.js'
import { replan } from './replan.js'
import { wakeOf } from './wake.js'

const minute = 60_000
const hour = 60 * minute
const by = { reason: null, by: 'key' }

function planned(definition: Partial<EndpointDefinition>, change: Partial<Plan>) {
  const { plan, compiled } = samplePlan(definition, { lastRunAt: sampleNow, ...change })
  return { plan: replan(plan, compiled, sampleNow), compiled }
}

const longInterval = (ttlMs: number): Partial<Plan> => ({
  intervalHint: { ...by, intervalMs: 2 * hour, expiresAt: sampleNow + ttlMs },
})
const lateOneShot = (at: number, ttlMs: number): Partial<Plan> => ({
  oneShotHint: { ...by, nextRunAt: sampleNow + at, expiresAt: sampleNow + ttlMs },
})

describe('a hint that ends before the run it asked for', () => {
  it.each([
    ['an interval', byInterval(5 * minute), longInterval(30 * minute), 'baseline-interval'],
    ['a one-shot', byInterval(5 * minute), lateOneShot(hour, 30 * minute), 'baseline-interval'],
    ['on a cron baseline', byCron('0 13 * * *'), longInterval(30 * minute), 'baseline-cron'],
  ] as const)('%s wakes the endpoint to be planned without it', (_, definition, hint, source) => {
    const { plan, compiled } = planned(definition, hint)
    const end = sampleNow + 30 * minute
    expect(wakeOf(plan)).toEqual({ at: end, kind: 'waiting' })
    expect(decideClaim({ plan, runsLeft: null }, compiled, end - 1)).toBe(null)
    const decision = decideClaim({ plan, runsLeft: null }, compiled, end)!
    expect(decision).toMatchObject({ start: null, ended: [], plan: { source } })
    expect(decision.plan).toMatchObject({ intervalHint: null, oneShotHint: null })
    expect(wakeOf(decision.plan)).toEqual({ at: decision.plan.nextRunAt, kind: 'due' })
  })

  it('is not foretold to run', () => {
    const { plan, compiled } = planned(byInterval(5 * minute), longInterval(30 * minute))
    const [first, second] = previewPlans(plan, compiled, sampleNow, 2)
    expect(first).toMatchObject({ nextRunAt: sampleNow + 30 * minute, source: 'baseline-interval' })
    expect(second).toMatchObject({ nextRunAt: sampleNow + 35 * minute })
  })
})

describe('a hint that holds until its run', () => {
  it.each([
    ['an interval', longInterval(2 * hour), 2 * hour],
    ['a one-shot', lateOneShot(hour, hour), hour],
  ] as const)('%s is run by it', (_, hint, after) => {
    const { plan, compiled } = planned(byInterval(5 * minute), hint)
    expect(wakeOf(plan)).toEqual({ at: sampleNow + after, kind: 'due' })
    const decision = decideClaim({ plan, runsLeft: null }, compiled, sampleNow + after)!
    expect(decision.start).toMatchObject({ scheduledFor: sampleNow + after })
  })

  it('beside a run that was asked for lets that one go first', () => {
    const requested = { at: sampleNow + minute, source: 'manual' as const }
    const hint = longInterval(30 * minute)
    const { plan } = planned(byInterval(5 * minute), { ...hint, requested })
    expect(wakeOf(plan)).toEqual({ at: sampleNow + minute, kind: 'due' })
  })
})

it('an expired hint under a clamp does not wake the endpoint again and again', () => {
  const definition = { ...byInterval(5 * minute), minIntervalMs: hour }
  const { plan, compiled } = planned(definition, longInterval(30 * minute))
  const end = sampleNow + 30 * minute
  const next = decideClaim({ plan, runsLeft: null }, compiled, end)?.plan ?? plan
  expect(next).toMatchObject({ source: 'clamped-min', intervalHint: null })
  expect(wakeOf(next)).toEqual({ at: sampleNow + hour, kind: 'due' })
})
