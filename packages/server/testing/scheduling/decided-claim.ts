import { formatInstant } from '@kron/core'
import type { EndpointDefinition, HeldRun, Plan } from '../../src/domain/index.js'
import { decideClaim } from '../../src/scheduling/claim-decision.js'
import { byCron, sampleNow, samplePlan } from '../sample-endpoint.js'

const hour = 3_600_000

/** What is decided of a plan that is due, of an endpoint as the samples are but for a change. */
export function decide(
  change: Partial<EndpointDefinition>,
  planned: Partial<Plan>,
  { at = sampleNow, runsLeft = null as number | null, systemRunsLeft = null as number | null } = {},
) {
  const { plan, compiled } = samplePlan(change, planned)
  return { plan, decision: decideClaim({ plan, runsLeft, systemRunsLeft }, compiled, at)! }
}

export const everyMinute = byCron('* * * * *')

export const period = (at: number): Partial<Plan> => ({
  nextRunAt: at,
  periodId: formatInstant(at),
})

export const heldSince = (scheduledFor: number, change: Partial<HeldRun> = {}): HeldRun => ({
  scheduledFor,
  source: 'baseline-cron',
  leaseUntil: sampleNow - hour,
  deliveries: 1,
  ...change,
})
