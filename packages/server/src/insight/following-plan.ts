import type { Plan } from '../domain/index.js'
import { decideClaim } from '../planning/claim-decision.js'
import { type CompiledEndpoint, replan, replanSince, wakeOf } from '../planning/index.js'

/**
 * The plan after this one, if its run starts on time (or now, when it is late) and takes no time.
 * The rules of a real claim are asked, so that what is foretold is what will be done.
 */
export function followingPlan(plan: Plan, compiled: CompiledEndpoint, now: number): Plan {
  const at = Math.max(now, plan.nextRunAt ?? now)
  const due = { plan: { ...plan, requested: null }, runsLeft: null }
  const next = decideClaim(due, compiled, at)?.plan ?? due.plan
  if (next.held === null) return afterHints(next, compiled)
  return afterHints(replan({ ...next, held: null, lastRunAt: at }, compiled, at), compiled)
}

/** A hint that ends before the run it asked for gives way to the plan without it. */
function afterHints(plan: Plan, compiled: CompiledEndpoint): Plan {
  if (plan.source === 'paused' || plan.source === 'quota') return plan
  const { at, kind } = wakeOf({ ...plan, requested: null })
  return kind === 'waiting' ? afterHints(replanSince(plan, compiled, at!, at!), compiled) : plan
}

/** The plan as it would be if the run that holds the endpoint ended now. */
export function freePlan(plan: Plan, compiled: CompiledEndpoint, now: number): Plan {
  if (plan.held === null) return afterHints(plan, compiled)
  const { scheduledFor } = plan.held
  const at = Math.max(now, scheduledFor)
  return afterHints(
    replan({ ...plan, held: null, lastRunAt: scheduledFor }, compiled, at),
    compiled,
  )
}
