import { formatInstant } from '@kron/core'
import { describe, expect, it } from 'vitest'
import {
  byCron,
  byInterval,
  sampleNow as now,
  sampleEndpoint,
  samplePlan,
} from '../../testing/sample-endpoint.js'
import type { Plan } from '../domain/index.js'
import { compileEndpoint } from './compiled-endpoint.js'
import { newPlan, replan } from './replan.js'

const hour = 3_600_000
/** The last full hour before `now`. */
const noon = now - 30_000

const hourly = byCron('0 * * * * @policy(first=run)')
const dueAt = (at: number) => ({
  nextRunAt: at,
  source: 'baseline-cron',
  periodId: formatInstant(at),
})

describe('a policy that wants the first period', () => {
  it('has a new endpoint planned for the period that is current', () => {
    const endpoint = sampleEndpoint(hourly)
    expect(newPlan(endpoint, compileEndpoint(endpoint), now)).toMatchObject(dueAt(noon))
    const waiting = sampleEndpoint(byCron('0 * * * *'))
    const plan = newPlan(waiting, compileEndpoint(waiting), now)
    expect(plan).toMatchObject(dueAt(noon + hour))
  })

  it('wants no period that can not be scheduled', () => {
    const endpoint = sampleEndpoint(byCron('0 * * * * @only(hours=15-17) @policy(first=run)'))
    const plan = newPlan(endpoint, compileEndpoint(endpoint), now)
    expect(plan).toMatchObject(dueAt(noon + 3 * hour))
  })

  it.each<[string, Partial<Plan>, number]>([
    ['not when its timing is known', { handledThrough: null }, noon + hour],
    ['not when it has handled periods', { responsibility: null, handledThrough: 5 }, noon + hour],
    ['when nothing is known of it', { responsibility: null, handledThrough: null }, noon],
    ['when its timing is new', { responsibility: { timing: 'another', since: 5 } }, noon],
    [
      'when its timing is new, and not again what was handled',
      { responsibility: { timing: 'another', since: 5 }, handledThrough: noon },
      noon + hour,
    ],
  ])('has an endpoint planned for it %s', (_, known, nextRunAt) => {
    const { plan, compiled } = samplePlan(hourly, { nextRunAt: null, ...known })
    expect(replan(plan, compiled, now)).toMatchObject(dueAt(nextRunAt))
  })

  it('puts it in the place of a period that only the former schedule had', () => {
    const { plan } = samplePlan(byCron('*/5 * * * *'))
    const at = plan.nextRunAt! + 5000
    const { compiled } = samplePlan(byCron('7 * * * * @policy(first=run)'))
    expect(replan(plan, compiled, at)).toMatchObject(dueAt(noon - 53 * 60_000))
  })
})

describe('intervals after a restore', () => {
  const restoredAt = now - 600_000
  it.each([
    ['count from it when the last run was before', now - 1_200_000, restoredAt],
    ['count from the last run when that came after it', now - 60_000, now - 60_000],
    ['count from it when there was no run', null, restoredAt],
  ])('%s', (_, lastRunAt, since) => {
    const { plan, compiled } = samplePlan(byInterval(hour), { restoredAt, lastRunAt })
    expect(replan(plan, compiled, now).nextRunAt).toBe(since + hour)
  })
})
