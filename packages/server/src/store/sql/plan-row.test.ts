import { describe, expect, it } from 'vitest'
import { samplePlan } from '../../../testing/sample-endpoint.js'
import type { Plan } from '../../domain/index.js'
import { planOf, planRow } from './plan-row.js'

const { plan: plain } = samplePlan()
const hint = { expiresAt: 9, reason: 'it is urgent', by: 'key:x' }
const adjustments: readonly Partial<Plan>[] = [
  { requested: { at: 5, source: 'manual' } },
  { exact: true },
  { pausedUntil: 7 },
  { pausedUntil: 7, pauseReason: 'maintenance' },
  { intervalHint: { intervalMs: 5, ...hint } },
  { oneShotHint: { nextRunAt: 6, ...hint } },
  { restoredAt: 8 },
]

describe('the row of a plan', () => {
  // By the name alone a statement finds the plans that somebody asked for a run of.
  it.each(adjustments)('keeps %j, and names nothing beside it', (change) => {
    const plan = { ...plain, ...change }
    const row = planRow(plan)
    expect(planOf(row)).toEqual(plan)
    expect(JSON.parse(row.adjustments!)).toEqual(change)
  })

  it('has nothing written where a plan is as its schedule wants it', () => {
    const row = planRow(plain)
    expect(row.adjustments).toBeNull()
    expect(planOf(row)).toEqual(plain)
  })
})
