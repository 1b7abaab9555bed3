import { evaluate, type Job } from '@kron/core'
import { instantText, type Plan } from '../domain/index.js'
import type { CompiledEndpoint } from './compiled-endpoint.js'
import { newestPeriod, type Period } from './period.js'
import type { EndedRun } from './planning.js'

/** Periods of one stretch that are counted; beyond that there are at least so many. */
const maxCounted = 10_000

/** The period up to which everything has been said when a plan's period comes, or null. */
export function saidThrough(plan: Plan, job: Job): number | null {
  if (!isConstrained(job)) return null
  const { handledThrough, responsibility, pausedUntil } = plan
  const known = [handledThrough, responsibility?.since ?? null, pausedUntil]
  const from = Math.max(...known.filter((instant) => instant !== null))
  return Number.isFinite(from) ? newestPeriod(job, from) : null
}

/** Without constraints every period can be scheduled. */
function isConstrained({ spec }: Job): boolean {
  return spec.constraints.only.length + spec.constraints.avoid.length > 0
}

/**
 * The periods between two that can't be scheduled, as one row: each for itself would drown the
 * history of an endpoint that runs every minute of some hours. None when something else than the
 * schedule decided in between.
 */
export function stretchBetween(
  plan: Plan,
  { job, policy }: CompiledEndpoint,
  before: number | null,
  { decision, at }: Period,
): EndedRun[] {
  if (job === null || before === null) return []
  const first = job.nextPeriod(before)
  const next = decision.nominalTime
  if (first === null || first >= next || job.nextSchedulable(before) !== next) return []
  const unscheduled = job.decide(first)
  const verdict = evaluate({
    decision: unscheduled,
    policy,
    now: at,
    // All that was before the schedule counted is behind this as well.
    handledThrough: before,
    active: false,
  })
  if (verdict.kind !== 'unschedulable') return []
  let count = 1
  for (let nominal = job.nextPeriod(first); nominal !== null && nominal < next; count++) {
    if (count === maxCounted) break
    nominal = job.nextPeriod(nominal)
  }
  const last = job.cron.previous(next - 1, job.zone) ?? first
  return [
    {
      endpointId: plan.endpointId,
      scheduledFor: unscheduled.windowStart,
      periodId: unscheduled.periodId,
      source: 'baseline-cron',
      status: 'unschedulable',
      reason: verdict.reason,
      error: null,
      wasRunning: false,
      stretch: {
        first: unscheduled.periodId,
        last: instantText(last),
        count,
        ...(count === maxCounted && { more: true }),
      },
    },
  ]
}
