import type { Plan } from '../domain/index.js'
import { decideClaim } from '../planning/claim-decision.js'
import { type CompiledEndpoint, replan } from '../planning/index.js'

/**
 * The plan after this one, if its run starts on time (or now, when it is late) and takes no time.
 * The rules of a real claim are asked, so that what is foretold is what will be done.
 */
export function followingPlan(plan: Plan, compiled: CompiledEndpoint, now: number): Plan {
  const at = Math.max(now, plan.nextRunAt ?? now)
  const due = { plan: { ...plan, requested: null }, runsLeft: null }
  const next = decideClaim(due, compiled, at)?.plan ?? due.plan
  if (next.held === null) return next
  return replan({ ...next, held: null, lastRunAt: at }, compiled, at)
}

/** The plan as it would be if the run that holds the endpoint ended now. */
export function freePlan(plan: Plan, compiled: CompiledEndpoint, now: number): Plan {
  if (plan.held === null) return plan
  const { scheduledFor } = plan.held
  const at = Math.max(now, scheduledFor)
  return replan({ ...plan, held: null, lastRunAt: scheduledFor }, compiled, at)
}
