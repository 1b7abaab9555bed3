import type { Plan, PlannedSource } from '../domain/index.js'
import type { CompiledEndpoint } from '../scheduling/index.js'
import { followingPlan, freePlan, isRun, withinQuota } from './following-plan.js'
import { noQuota } from './run-allowance.js'

export interface Preview {
  readonly nextRunAt: number
  readonly source: PlannedSource
  readonly periodId: string
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
    previews.push({ nextRunAt, source, periodId })
    if (isRun(current)) allowance.take(Math.max(now, nextRunAt))
    current = withinQuota(followingPlan(current, compiled, now), compiled, allowance, now)
  }
  return previews
}
