import { KronError } from '@kron/core'
import {
  type EndpointWithPlan,
  giverOf,
  isQuotaHold,
  type Plan,
  type PlannedSource,
  type QuotaHold,
} from '../domain/index.js'
import { decideClaim } from './claim-decision.js'
import { type CompiledEndpoint, compileEndpoint } from './compiled-endpoint.js'
import { replan, replanSince } from './replan.js'
import { noQuota, type QuotaRows, type RunAllowance, runAllowance } from './run-allowance.js'
import { wakeOf } from './wake.js'

/** A plan as it will be when its time has come, as far as is known now. */
interface ComingPlan {
  readonly plan: Plan
  /** When it is made: now, or when the last hint has ended that stood in its way. */
  readonly madeAt: number
  /** Runs that are planned until the hints that ask for them end. */
  readonly undone: readonly UndoneRun[]
}

export interface UndoneRun {
  readonly nextRunAt: number
  readonly hintEndsAt: number
}

/**
 * The plan after this one, if its run starts on time (or now, when it is late) and takes no time.
 * The rules of a real claim are asked, so that what is foretold is what will be done.
 */
export function followingPlan(plan: Plan, compiled: CompiledEndpoint, now: number): Plan {
  const at = Math.max(now, plan.nextRunAt ?? now)
  const due = { plan: { ...plan, requested: null }, runsLeft: null }
  const next = decideClaim(due, compiled, at)?.plan ?? due.plan
  const free = next.held === null ? next : replan(endedAt(next, at), compiled, at)
  return afterHints(free, compiled, at).plan
}

/** The plan as it will come: if a run holds the endpoint, as if that ended now. */
export function freePlan(plan: Plan, compiled: CompiledEndpoint, now: number): ComingPlan {
  if (plan.held !== null) {
    const { scheduledFor } = plan.held
    const at = Math.max(now, scheduledFor)
    return afterHints(replan(endedAt(plan, scheduledFor), compiled, at), compiled, at)
  }
  // A run that is late is late by its own plan.
  const stands = plan.suspended || isQuotaHold(plan.source) || plan.nextRunAt !== null
  return afterHints(stands ? plan : replan(plan, compiled, now), compiled, now)
}

function endedAt(plan: Plan, lastRunAt: number): Plan {
  return { ...plan, held: null, lastRunAt }
}

/** A hint that ends before the run it asked for gives way to the plan without it. */
function afterHints(plan: Plan, compiled: CompiledEndpoint, now: number): ComingPlan {
  if (!endsWithHint(plan)) return { plan, madeAt: now, undone: [] }
  const hintEndsAt = wakeOf({ ...plan, requested: null }).at!
  const madeAt = Math.max(now, hintEndsAt)
  const without = replanSince(plan, compiled, madeAt, madeAt)
  const coming = afterHints(without, compiled, madeAt)
  const isUndone = without.nextRunAt !== plan.nextRunAt && hintEndsAt > now
  const undone = { nextRunAt: plan.nextRunAt!, hintEndsAt }
  return isUndone ? { ...coming, undone: [undone, ...coming.undone] } : coming
}

/** Whether a hint ends before the run that it asks for. */
function endsWithHint(plan: Plan): boolean {
  if (plan.source === 'paused' || isQuotaHold(plan.source)) return false
  return wakeOf({ ...plan, requested: null }).kind === 'waiting'
}

/** Whether it is a run that is planned, and not a time at which to plan again. */
export function isRun({ held, suspended, nextRunAt, source }: Plan): boolean {
  if (held !== null || suspended || nextRunAt === null) return false
  return source !== 'paused' && !isQuotaHold(source)
}

/** The plan itself, or the one that waits for the quota if that is used up when its run is due. */
export function withinQuota(
  plan: Plan,
  compiled: CompiledEndpoint,
  allowance: RunAllowance,
  now: number,
): Plan {
  if (!isRun(plan)) return plan
  const at = Math.max(now, plan.nextRunAt!)
  const hold = allowance.holdAt(at)
  return hold === null ? plan : waitingForQuota(plan, hold, compiled, at)
}

/** What a claim makes of a run that is due at `at` when that quota is used up. */
export function waitingForQuota(
  plan: Plan,
  hold: QuotaHold,
  compiled: CompiledEndpoint,
  at: number,
): Plan {
  const runsLeft = hold === 'quota' ? 0 : null
  const due = { plan: { ...plan, requested: null }, runsLeft, systemRunsLeft: 0 }
  const decision = decideClaim(due, compiled, at)
  const { nextRunAt, source, periodId } = decision?.plan ?? plan
  return { ...plan, nextRunAt, source, periodId }
}

export interface Preview {
  readonly nextRunAt: number
  readonly source: PlannedSource
  readonly periodId: string
  /** Who gave the hint that asks for it; null without a hint. */
  readonly giver: string | null
}

/**
 * The next plans of an endpoint, if each run starts on time and takes no time, and no other takes
 * from the quotas. Hints expire on the way; a pause, or a quota that is used up, is
 * shown as its end.
 */
export function previewPlans(
  plan: Plan,
  compiled: CompiledEndpoint,
  now: number,
  count: number,
  allowance = noQuota(),
): readonly Preview[] {
  const previews: Preview[] = []
  let current = withinQuota(freePlan(plan, compiled, now).plan, compiled, allowance, now)
  while (previews.length < count && !current.suspended) {
    const { nextRunAt, source, periodId } = current
    if (nextRunAt === null || periodId === null) break
    previews.push({ nextRunAt, source, periodId, giver: giverIn(current) })
    if (isRun(current)) allowance.take(Math.max(now, nextRunAt))
    current = withinQuota(followingPlan(current, compiled, now), compiled, allowance, now)
  }
  return previews
}

/** Who gave the hint that a plan follows. */
export function giverIn({ source, intervalHint, oneShotHint }: Plan): string | null {
  const hint =
    source === 'ai-interval' ? intervalHint : source === 'ai-oneshot' ? oneShotHint : null
  return hint && giverOf(hint)
}

/**
 * What is planned for an endpoint as people are to see it. Nothing while it is suspended, whatever
 * was planned before; and no run that is planned only until a hint ends.
 */
export function expectedPlan({ endpoint, plan }: EndpointWithPlan, now: number): Plan {
  if (plan.suspended) return { ...plan, nextRunAt: null, periodId: null }
  // Few endpoints have such a hint, and lists must not compile all others.
  if (!endsWithHint(plan)) return plan
  try {
    return freePlan(plan, compileEndpoint(endpoint), now).plan
  } catch (error) {
    if (error instanceof KronError) return plan
    throw error
  }
}

/**
 * A plan that is made again because something about it changed. One that waits for a quota goes on
 * to wait while one is used up: a claim would find out, but people look at it before.
 */
export async function replanWithinQuota(
  rows: QuotaRows,
  plan: Plan,
  compiled: CompiledEndpoint,
): Promise<Plan> {
  const next = replan(plan, compiled, rows.now)
  if (!isQuotaHold(plan.source)) return next
  return withinQuota(next, compiled, await runAllowance(rows), rows.now)
}
