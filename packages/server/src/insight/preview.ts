import type { Plan, PlannedSource } from '../domain/index.js'
import type { CompiledEndpoint } from '../planning/index.js'
import { followingPlan, freePlan } from './following-plan.js'

export interface Preview {
  readonly nextRunAt: number
  readonly source: PlannedSource
  readonly periodId: string
}

/**
 * The next plans of an endpoint, if each run starts on time and takes no time. Hints expire on the
 * way; a pause, or a quota that is used up, is shown as its end.
 */
export function previewPlans(
  plan: Plan,
  compiled: CompiledEndpoint,
  now: number,
  count: number,
): readonly Preview[] {
  const previews: Preview[] = []
  let current = freePlan(plan, compiled, now)
  while (previews.length < count && !current.suspended) {
    const { nextRunAt, source, periodId } = current
    if (nextRunAt === null || periodId === null) break
    previews.push({ nextRunAt, source, periodId })
    current = followingPlan(current, compiled, now)
  }
  return previews
}
