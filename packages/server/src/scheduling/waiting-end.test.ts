import { describe, expect, it } from 'vitest'
import { byCron, byInterval, sampleNow, samplePlan } from '../../testing/sample-endpoint.js'
import type { EndpointDefinition, Plan } from '../domain/index.js'
import { decideClaim } from './claim-decision.js'
import { previewPlans } from './coming-plan.js'
import { replan } from './replan.js'

const minute = 60_000
const hour = 60 * minute
/** The first full minute after `sampleNow`. */
const end = sampleNow + 30_000
const everyMinute = byCron('* * * * *')

/** Ways to wait until `end`. */
const waits: readonly (readonly [string, Partial<Plan>])[] = [
  ['a pause', { pausedUntil: end }],
  ['a quota', { nextRunAt: end, source: 'quota' }],
  [
    'an interval hint',
    { intervalHint: { intervalMs: hour, expiresAt: end, reason: null, by: 'key' } },
  ],
  [
    'a one-shot hint',
    { oneShotHint: { nextRunAt: end + hour, expiresAt: end, reason: null, by: 'key' } },
  ],
]

function waiting(definition: Partial<EndpointDefinition>, change: Partial<Plan>) {
  const { plan, compiled } = samplePlan(definition, { lastRunAt: sampleNow, ...change })
  return { compiled, plan: plan.source === 'quota' ? plan : replan(plan, compiled, sampleNow) }
}

/** The plan that is made by the first claim at `at` or later. */
function planned(
  definition: Partial<EndpointDefinition>,
  change: Partial<Plan>,
  at: number,
): Plan | null {
  const { plan, compiled } = waiting(definition, change)
  return decideClaim({ plan, runsLeft: null }, compiled, at)?.plan ?? null
}

describe.each(waits)('when %s ends', (_, change) => {
  it('the period of that very instant runs', () => {
    expect(planned(everyMinute, change, end - 1)).toBeNull()
    const expected = { nextRunAt: end, source: 'baseline-cron' }
    expect(planned(everyMinute, change, end)).toMatchObject(expected)
  })

  it('that period stands, also when the endpoint is changed before a worker takes it', () => {
    const { plan, compiled } = waiting(everyMinute, change)
    const next = decideClaim({ plan, runsLeft: null }, compiled, end)!.plan
    expect(replan(next, compiled, end + 1)).toEqual(next)
  })

  it('and nobody looks for a while, the periods since then are due, and no earlier ones', () => {
    const late = end + 2 * minute + 1
    const { plan, compiled } = waiting(everyMinute, change)
    const next = decideClaim({ plan, runsLeft: null }, compiled, late)!.plan
    const decision = decideClaim({ plan: next, runsLeft: null }, compiled, late)!
    expect(decision.start).toMatchObject({ scheduledFor: end + 2 * minute })
    const rows = decision.ended.map((row) => [row.scheduledFor, row.reason])
    expect(rows).toEqual([
      [end, 'superseded'],
      [end + minute, 'superseded'],
    ])
  })

  it('a period that was handled already does not run again', () => {
    const handled = { ...change, handledThrough: end + minute }
    const at = end + minute + 1
    expect(planned(everyMinute, handled, at)).toMatchObject({ nextRunAt: end + 2 * minute })
  })

  it('an interval that is over runs at once', () => {
    const late = end + hour
    expect(planned(byInterval(5 * minute), change, late)).toMatchObject({
      nextRunAt: late,
      source: 'baseline-interval',
    })
  })

  it('what is foretold is what happens', () => {
    const { plan, compiled } = waiting(everyMinute, change)
    const plans = previewPlans(plan, compiled, sampleNow, 3)
    const runs = plans.filter(({ source }) => source === 'baseline-cron')
    expect(runs[0]!.nextRunAt).toBe(end)
    expect(runs[1]!.nextRunAt).toBe(end + minute)
  })
})

it('a pause that another follows keeps what comes within it from running', () => {
  const change = { pausedUntil: end + hour, nextRunAt: end, source: 'paused' } as const
  const { plan, compiled } = samplePlan(everyMinute, change)
  const next = decideClaim({ plan, runsLeft: null }, compiled, end)!.plan
  expect(next).toMatchObject({ nextRunAt: end + hour, source: 'paused' })
})
