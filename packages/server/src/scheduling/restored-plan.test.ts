import { describe, expect, it } from 'vitest'
import { byCron, sampleNow as now, samplePlan } from '../../testing/sample-endpoint.js'
import type { Plan } from '../domain/index.js'
import { restoredPlan } from './replan.js'

const restored = (planned: Partial<Plan> = {}) => {
  const { plan } = samplePlan(byCron('* * * * *'), { fence: 7, ...planned })
  return { plan, after: restoredPlan(plan, now) }
}
const hint = { expiresAt: now + 9, reason: null, by: 'x' }
const held = { scheduledFor: now, source: 'manual', leaseUntil: now, deliveries: 1 } as const

describe('a plan after a restore', () => {
  it('is made by a worker at once, and counts from now on', () => {
    const { plan, after } = restored()
    expect(after).toEqual({
      ...plan,
      nextRunAt: now,
      source: 'paused',
      periodId: '2026-03-01T12:00:30Z',
      handledThrough: now,
      responsibility: { ...plan.responsibility, since: now },
      restoredAt: now,
    })
  })

  it('has neither the run that was under way nor the one that was asked for', () => {
    const requested = { at: now + 5, source: 'manual' } as const
    expect(restored({ held, requested }).after).toMatchObject({
      held: null,
      requested: null,
      fence: 8,
    })
    expect(restored({ requested }).after).toMatchObject({ requested: null, fence: 7 })
  })

  it.each([
    [null, now],
    [now - 1, now],
    [now + 1, now + 1],
  ])('after what was handled through %s has handled all through %s', (handledThrough, through) => {
    expect(restored({ handledThrough }).after.handledThrough).toBe(through)
  })

  it.each([
    [-1, false],
    [0, false],
    [1, true],
  ])('keeps a one-shot that is %i ms off: %s', (ms, isKept) => {
    const oneShotHint = { nextRunAt: now + ms, ...hint }
    expect(restored({ oneShotHint }).after.oneShotHint).toEqual(isKept ? oneShotHint : null)
  })

  it('of an endpoint that is suspended stays without a run', () => {
    const { plan, after } = restored({ suspended: true })
    expect(after).toMatchObject({
      suspended: true,
      nextRunAt: null,
      periodId: null,
      restoredAt: now,
    })
    expect(after.source).toBe(plan.source)
  })

  it('of an interval has no schedule to answer for', () => {
    expect(restored({ responsibility: null }).after.responsibility).toBeNull()
  })
})
